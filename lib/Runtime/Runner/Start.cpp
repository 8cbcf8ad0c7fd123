//===- Start.cpp - Where the process begins -------------------------------===//
//
// What crt1.o does elsewhere: the machine that compiles needs none. The stack
// holds argc and argv; rdx is a function for the end of the process. The
// constructors of this program are none, so the C library gets no functions
// for them.
//
//===----------------------------------------------------------------------===//

asm(".pushsection .text.start,\"ax\",@progbits\n"
    ".globl _start\n"
    ".hidden _start\n"
    ".type _start,@function\n"
    "_start:\n"
    "  .cfi_startproc\n"
    "  .cfi_undefined rip\n" // nothing called this
    "  xorl %ebp, %ebp\n"
    "  movq %rdx, %r9\n"
    "  popq %rsi\n"
    "  movq %rsp, %rdx\n"
    "  andq $-16, %rsp\n"
    "  pushq %rax\n"
    "  pushq %rsp\n"
    "  xorl %r8d, %r8d\n"
    "  xorl %ecx, %ecx\n"
    "  leaq adze_runner_main(%rip), %rdi\n"
    "  callq *__libc_start_main@GOTPCREL(%rip)\n"
    "  hlt\n"
    "  .cfi_endproc\n"
    "  .size _start, .-_start\n"
    ".popsection\n");
