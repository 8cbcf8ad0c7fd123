# One place decides how adze's libraries are built and how MLIR is linked.

# adze_add_library(<name> SOURCES ... [TABLEGEN targets] [LIBS ...]
#                  [EXCEPTIONS] [NO_MLIR])
# EXCEPTIONS: the sources catch what a third-party library throws.
# NO_MLIR: the library uses at most LLVM's Support headers, none of MLIR's.
function(adze_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_MLIR" "" "SOURCES;TABLEGEN;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  if(ARG_EXCEPTIONS)
    set(LLVM_REQUIRES_EH ON)
  endif()
  llvm_update_compile_flags(${name})
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LIBS})
  adze_link_llvm(${name} PUBLIC ${ARG_NO_MLIR})
endfunction()

function(adze_add_tool name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_MLIR" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  if(ARG_EXCEPTIONS)
    set(LLVM_REQUIRES_EH ON)
  endif()
  llvm_update_compile_flags(${name})
  # -fPIC as for libraries, not -fPIE: the precompiled header must fit.
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${LLVM_RUNTIME_OUTPUT_INTDIR}
    POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  adze_link_llvm(${name} PRIVATE ${ARG_NO_MLIR})
endfunction()

# adze_add_unittest(<name> SOURCES ... LIBS ... [EXCEPTIONS] [NO_MLIR])
function(adze_add_unittest name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_MLIR" "" "SOURCES;LIBS" ${ARGN})
  set(flags)
  foreach(flag EXCEPTIONS NO_MLIR)
    if(ARG_${flag})
      list(APPEND flags ${flag})
    endif()
  endforeach()
  adze_add_tool(${name} SOURCES ${ARG_SOURCES} LIBS ${ARG_LIBS} GTest::gtest_main ${flags})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
endfunction()

# The imported MLIR shared target does not name LLVM in its interface, and the
# linker will not follow a DT_NEEDED entry on its own, so both are listed.
function(adze_link_llvm name scope no_mlir)
  if(no_mlir)
    target_link_libraries(${name} ${scope} LLVM)
  else()
    target_link_libraries(${name} ${scope} MLIR LLVM)
    adze_pch(${name})
  endif()
endfunction()

# All targets built with the same flags share one precompiled header.
# clang's time stamp in it would make every compilation a cache miss.
set(pch_options "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
if(ADZE_PCH)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/pch/pch.cpp CONTENT "")
  add_library(AdzePch OBJECT ${PROJECT_BINARY_DIR}/pch/pch.cpp)
  llvm_update_compile_flags(AdzePch)
  target_compile_options(AdzePch PRIVATE "${pch_options}")
  target_precompile_headers(AdzePch PRIVATE
    <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h> <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>
    <mlir/Interfaces/InferTypeOpInterface.h>
    <mlir/Interfaces/SideEffectInterfaces.h>
    <mlir/Dialect/Arith/IR/Arith.h>)
endif()

function(adze_pch name)
  if(ADZE_PCH AND NOT LLVM_REQUIRES_EH)
    target_precompile_headers(${name} REUSE_FROM AdzePch)
    target_compile_options(${name} PRIVATE "${pch_options}")
  endif()
endfunction()
