# -*- Python -*-
import os

import lit.formats
from lit.llvm import llvm_config

config.name = "adze"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Fuzz", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.adze_obj_root, "test")

# A FileCheck variable may not leak from one CHECK-LABEL to the next.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --dump-input=fail"

llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    ["adze-opt", "adze"], [config.adze_tools_dir, config.llvm_tools_dir]
)
config.substitutions += [
    ("%python", config.python),
    # An artifact written by hand, see Driver/Inputs/AddModel.c.
    ("%add_model", os.path.join(config.test_exec_root, "Driver", "Inputs", "add.adze")),
]
