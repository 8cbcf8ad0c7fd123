//===- ImportContext.h - What the parts of the importer share ---*- C++ -*-===//

#ifndef ADZE_LIB_FRONTEND_IMPORTCONTEXT_H
#define ADZE_LIB_FRONTEND_IMPORTCONTEXT_H

#include "ImportSymbols.h"

#include "dialects/Capture/Capture.h"

#include "adze/Frontend/AtenSchema.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace adze::frontend {

/// State of one import; the first error wins.
struct ImportContext {
  ImportContext(const ExportedProgram &program, mlir::MLIRContext *context)
      : program(program), context(context), symbols(context) {}

  mlir::LogicalResult fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
    return mlir::failure();
  }

  const ExportedProgram &program;
  mlir::MLIRContext *context;
  SymbolImporter symbols;
  llvm::StringSet<> definedSymbols;
  std::string error;
};

mlir::Location importLocation(mlir::MLIRContext *context, const Node &node);

/// The symbols of `exprs` that nothing has defined so far; they are defined
/// now. Only symbols that get their value while the program runs count.
llvm::SmallVector<llvm::StringRef> defineSymbols(ImportContext &context,
                                                 sym::Expr expr);

/// Imports one graph, or subgraph, into a block.
class GraphImporter {
public:
  GraphImporter(ImportContext &shared, const Graph &graph,
                mlir::OpBuilder &builder)
      : shared(shared), graph(graph), builder(builder) {}

  /// Names the values that stand for the tensors among the graph's inputs.
  mlir::LogicalResult bindInputs(mlir::ValueRange values);
  mlir::LogicalResult importNodes();
  /// The tensors among the graph's outputs.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> tensorOutputs();

  /// The type of a tensor of this graph.
  mlir::RankedTensorType typeOf(llvm::StringRef name, std::string &why);
  sym::Expr exprOf(llvm::StringRef name, std::string &why);

private:
  friend class CallImporter;
  friend class ControlFlowImporter;

  mlir::LogicalResult importNode(const Node &node);
  mlir::LogicalResult importAssert(const Node &node);
  mlir::LogicalResult importRangeAssert(const Node &node);
  mlir::LogicalResult failNode(const Node &node, const llvm::Twine &message);
  /// A subgraph may describe a size by another symbol, but no more than that.
  mlir::LogicalResult checkTypes(const Node &node, const llvm::Twine &what,
                                 mlir::TypeRange outside,
                                 mlir::TypeRange inside);
  /// Is every output a number that is known from other symbols?
  bool isFolded(const Node &node);

  ImportContext &shared;
  const Graph &graph;
  mlir::OpBuilder &builder;
  llvm::StringMap<mlir::Value> tensors;
};

/// Imports one node as a capture.call.
class CallImporter {
public:
  CallImporter(GraphImporter &scope, const Node &node)
      : scope(scope), shared(scope.shared), node(node) {}

  mlir::LogicalResult import();
  /// The same for an operator that a higher-order operator calls, with these
  /// inputs and outputs.
  mlir::LogicalResult import(llvm::StringRef target,
                             llvm::ArrayRef<NamedArgument> inputs,
                             llvm::ArrayRef<Argument> outputs);

private:
  struct Entry {
    std::string name;
    const Argument *value;
    SchemaType type;
  };

  mlir::LogicalResult collectBySchema(const OpSchema &schema,
                                      llvm::ArrayRef<NamedArgument> inputs);
  void collectByName(llvm::ArrayRef<NamedArgument> inputs);
  mlir::LogicalResult checkNames(const OpSchema &schema,
                                 llvm::ArrayRef<NamedArgument> inputs);
  mlir::Attribute convert(const Argument &value, const SchemaType &type);
  mlir::Attribute convertList(const Argument &value, const SchemaType &type);
  mlir::Attribute convertScalar(const Argument &value, SchemaBase base);
  mlir::Attribute convertInteger(const Argument &value, SchemaBase base);
  mlir::Attribute convertSymbol(const Argument &value);
  mlir::Attribute convertTensor(const Argument &value);
  mlir::LogicalResult collectResults(const Argument &output);
  mlir::LogicalResult collectTensor(llvm::StringRef name);
  mlir::LogicalResult bindSymbols(sym::Expr expr);
  mlir::LogicalResult create(llvm::StringRef target);

  GraphImporter &scope;
  ImportContext &shared;
  const Node &node;
  llvm::SmallVector<Entry> entries;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::NamedAttribute> arguments;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<llvm::StringRef> resultNames;
  llvm::SmallVector<int64_t> resultLists;
  llvm::SmallVector<llvm::StringRef> binds;
};

/// Imports one higher-order operator.
class ControlFlowImporter {
public:
  ControlFlowImporter(GraphImporter &scope, const Node &node)
      : scope(scope), shared(scope.shared), node(node) {}

  mlir::LogicalResult import(llvm::StringRef name);

private:
  using Operands = llvm::SmallVector<const Argument *>;

  const Argument *argument(size_t index, ArgKind kind);
  Operands spread(size_t begin) const;
  static Operands items(const Argument &list);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  tensorsOf(llvm::ArrayRef<const Argument *> operands);
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> resultTypes();
  mlir::LogicalResult nameResults(mlir::ValueRange results);
  llvm::SmallVector<llvm::StringRef> bindResults();
  mlir::FailureOr<llvm::SmallVector<mlir::Type>>
  inputTypes(GraphImporter &inner, const Graph &graph);
  /// Imports a subgraph whose inputs and outputs must fit these types.
  mlir::LogicalResult fillRegion(mlir::Region &region, const Graph &graph,
                                 mlir::TypeRange operands,
                                 mlir::TypeRange results);
  mlir::LogicalResult inlineGraph(const Graph &graph,
                                  llvm::ArrayRef<const Argument *> operands);

  mlir::LogicalResult importInlined(size_t graph, bool operandsAreSpread);
  mlir::LogicalResult importInvoke();
  mlir::LogicalResult importCond();
  mlir::LogicalResult importWhile();
  mlir::LogicalResult importScan();
  mlir::LogicalResult importMap();
  mlir::LogicalResult importLoop(size_t inits, size_t sequences,
                                 size_t firstList);
  mlir::LogicalResult importGradMode();
  mlir::LogicalResult importAutocast();
  mlir::LogicalResult importEffects();
  mlir::LogicalResult importUnknown();

  GraphImporter &scope;
  ImportContext &shared;
  const Node &node;
};

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_IMPORTCONTEXT_H
