//===- Autocast.cpp - Which calls autocast casts --------------------------===//
//
// The lists of torch's CPU autocast (aten/src/ATen/autocast_mode.cpp), 2.13.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Normalizer.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace adze::normalize {

static const llvm::StringSet<> &lowerPrecision() {
  static const llvm::StringSet<> names = {"conv1d",
                                          "conv2d",
                                          "conv3d",
                                          "bmm",
                                          "mm",
                                          "linalg_vecdot",
                                          "baddbmm",
                                          "addmm",
                                          "addbmm",
                                          "linear",
                                          "_convolution",
                                          "matmul",
                                          "conv_tbc",
                                          "mkldnn_rnn_layer",
                                          "conv_transpose1d",
                                          "conv_transpose2d",
                                          "conv_transpose3d",
                                          "prelu",
                                          "scaled_dot_product_attention",
                                          "_native_multi_head_attention"};
  return names;
}

static const llvm::StringSet<> &singlePrecision() {
  static const llvm::StringSet<> names = {"avg_pool3d",
                                          "binary_cross_entropy",
                                          "grid_sampler",
                                          "polar",
                                          "prod",
                                          "quantile",
                                          "nanquantile",
                                          "stft",
                                          "cdist",
                                          "trace",
                                          "view_as_complex",
                                          "cholesky",
                                          "cholesky_inverse",
                                          "cholesky_solve",
                                          "inverse",
                                          "lu_solve",
                                          "orgqr",
                                          "ormqr",
                                          "pinverse",
                                          "max_pool3d",
                                          "max_unpool2d",
                                          "max_unpool3d",
                                          "adaptive_avg_pool3d",
                                          "reflection_pad1d",
                                          "reflection_pad2d",
                                          "replication_pad1d",
                                          "replication_pad2d",
                                          "replication_pad3d",
                                          "mse_loss",
                                          "cosine_embedding_loss",
                                          "nll_loss",
                                          "nll_loss2d",
                                          "hinge_embedding_loss",
                                          "poisson_nll_loss",
                                          "smooth_l1_loss",
                                          "cross_entropy_loss",
                                          "l1_loss",
                                          "huber_loss",
                                          "margin_ranking_loss",
                                          "soft_margin_loss",
                                          "triplet_margin_loss",
                                          "multi_margin_loss",
                                          "ctc_loss",
                                          "kl_div",
                                          "multilabel_margin_loss",
                                          "binary_cross_entropy_with_logits",
                                          "fft_fft",
                                          "fft_ifft",
                                          "fft_fft2",
                                          "fft_ifft2",
                                          "fft_fftn",
                                          "fft_ifftn",
                                          "fft_rfft",
                                          "fft_irfft",
                                          "fft_rfft2",
                                          "fft_irfft2",
                                          "fft_rfftn",
                                          "fft_irfftn",
                                          "fft_hfft",
                                          "fft_ihfft",
                                          "linalg_cond",
                                          "linalg_matrix_rank",
                                          "linalg_solve",
                                          "linalg_cholesky",
                                          "linalg_svdvals",
                                          "linalg_eigvals",
                                          "linalg_eigvalsh",
                                          "linalg_inv",
                                          "linalg_householder_product",
                                          "linalg_tensorinv",
                                          "linalg_tensorsolve",
                                          "fake_quantize_per_tensor_affine",
                                          "geqrf",
                                          "_lu_with_info",
                                          "qr",
                                          "svd",
                                          "triangular_solve",
                                          "fractional_max_pool2d",
                                          "fractional_max_pool3d",
                                          "adaptive_max_pool3d",
                                          "multilabel_margin_loss_forward",
                                          "linalg_qr",
                                          "linalg_cholesky_ex",
                                          "linalg_svd",
                                          "linalg_eig",
                                          "linalg_eigh",
                                          "linalg_lstsq",
                                          "linalg_inv_ex"};
  return names;
}

/// f32 if an argument is f32, else the type of the mode.
static Type widest(capture::CallOp call, Type reduced) {
  for (Value operand : call.getOperands()) {
    auto type = dyn_cast<FloatType>(prim::PrimBuilder::elementOf(operand));
    if (type && type.isF32())
      return type;
  }
  return reduced;
}

Type autocastType(const AutocastState &state, capture::CallOp call) {
  if (!state.enabled)
    return Type();
  StringRef base = call.getCallee().split('.').second.split('.').first;
  if (lowerPrecision().contains(base))
    return state.dtype;
  if (singlePrecision().contains(base))
    return Float32Type::get(call.getContext());
  if (base == "stack" || base == "cat" || base == "index_copy")
    return widest(call, state.dtype);
  return Type();
}

} // namespace adze::normalize
