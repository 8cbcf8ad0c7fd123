//===- SanitizerOptions.cpp - Defaults of the asan preset -----------------===//
//
// LLVM's shared library is built without sanitizers: what its code allocates
// from an arena that our code created stays poisoned, although it is in use.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
