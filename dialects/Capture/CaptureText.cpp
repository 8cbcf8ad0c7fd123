//===- CaptureText.cpp - Text of an ATen call -----------------------------===//
//
//   call   := string '(' [arg (',' arg)*] ')' ['binds' attribute] attr-dict
//             ':' function-type
//   arg    := name '=' value
//   value  := ssa-value | '[' [value (',' value)*] ']' | attribute
//
// Operands stand where the argument names them; the attribute that is stored
// holds `#capture.operand<i>` in their place.
//
//===----------------------------------------------------------------------===//

#include "dialects/Capture/Capture.h"

#include "mlir/IR/Builders.h"

#include <limits>

using namespace mlir;
using namespace adze::capture;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

static ParseResult parseValue(OpAsmParser &parser, Operands &operands,
                              Attribute &value) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    value = OperandAttr::get(parser.getContext(), operands.size());
    operands.push_back(operand);
    return success();
  }
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseAttribute(value);
  SmallVector<Attribute> elements;
  if (succeeded(parser.parseOptionalRSquare())) {
    value = parser.getBuilder().getArrayAttr({});
    return success();
  }
  auto parseElement = [&] {
    return parseValue(parser, operands, elements.emplace_back());
  };
  if (parser.parseCommaSeparatedList(parseElement) || parser.parseRSquare())
    return failure();
  value = parser.getBuilder().getArrayAttr(elements);
  return success();
}

static ParseResult parseArguments(OpAsmParser &parser, Operands &operands,
                                  SmallVectorImpl<NamedAttribute> &arguments) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        std::string name;
        Attribute value;
        if (parser.parseKeywordOrString(&name) || parser.parseEqual() ||
            parseValue(parser, operands, value))
          return failure();
        for (NamedAttribute argument : arguments)
          if (argument.getName().strref() == name)
            return parser.emitError(parser.getNameLoc())
                   << "argument '" << name << "' is given twice";
        arguments.emplace_back(parser.getBuilder().getStringAttr(name), value);
        return success();
      });
}

ParseResult CallOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr callee;
  Operands operands;
  SmallVector<NamedAttribute> arguments;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(callee) ||
      parseArguments(parser, operands, arguments))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.callee = callee;
  properties.arguments = parser.getBuilder().getDictionaryAttr(arguments);
  ArrayAttr binds = parser.getBuilder().getArrayAttr({});
  if (succeeded(parser.parseOptionalKeyword("binds")) &&
      parser.parseAttribute(binds))
    return failure();
  properties.binds = binds;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  return success();
}

/// The operands in the order in which a value names them.
static void collectOperands(Attribute value, SmallVectorImpl<unsigned> &named) {
  if (auto operand = dyn_cast<OperandAttr>(value))
    named.push_back(operand.getIndex());
  else if (auto list = dyn_cast<ArrayAttr>(value))
    for (Attribute element : list)
      collectOperands(element, named);
}

/// Arguments with operands first, in the order of these: the parser numbers
/// operands by the places where it meets them, a dictionary is sorted by name.
static SmallVector<NamedAttribute> argumentsInTextOrder(CallOp call) {
  auto firstOperand = [](NamedAttribute argument) {
    SmallVector<unsigned> named;
    collectOperands(argument.getValue(), named);
    return named.empty() ? std::numeric_limits<unsigned>::max() : named.front();
  };
  auto arguments = llvm::to_vector(call.getArguments());
  llvm::sort(arguments, [&](NamedAttribute a, NamedAttribute b) {
    unsigned x = firstOperand(a), y = firstOperand(b);
    return x != y ? x < y : a.getName().strref() < b.getName().strref();
  });
  return arguments;
}

static void printValue(OpAsmPrinter &printer, OperandRange operands,
                       Attribute value) {
  if (auto operand = dyn_cast<OperandAttr>(value)) {
    printer << operands[operand.getIndex()];
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    printer << "[";
    llvm::interleaveComma(list, printer, [&](Attribute element) {
      printValue(printer, operands, element);
    });
    printer << "]";
  } else {
    printer << value;
  }
}

void CallOp::print(OpAsmPrinter &printer) {
  printer << " \"" << getCallee() << "\"(";
  SmallVector<unsigned> named;
  auto arguments = argumentsInTextOrder(*this);
  llvm::interleaveComma(arguments, printer, [&](NamedAttribute argument) {
    printer.printKeywordOrString(argument.getName());
    printer << " = ";
    printValue(printer, getOperands(), argument.getValue());
    collectOperands(argument.getValue(), named);
  });
  printer << ")";
  if (!getBinds().empty())
    printer << " binds " << getBinds();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"callee", "arguments", "binds"});
  printer << " : ";
  auto types = llvm::map_to_vector(
      named, [&](unsigned index) { return getOperands()[index].getType(); });
  printer.printFunctionalType(types, getResultTypes());
}
