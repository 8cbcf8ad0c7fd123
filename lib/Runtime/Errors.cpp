//===- Errors.cpp - Messages of the runtime -------------------------------===//

#include "lib/Runtime/Internal.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace adze::rt;

int32_t adze::rt::clearError(adze_error *error) {
  if (error) {
    error->status = ADZE_OK;
    error->guard = error->site = -1;
    error->reserved = 0;
    error->message[0] = 0;
  }
  return ADZE_OK;
}

int32_t adze::rt::setError(adze_error *error, int32_t status,
                           const char *format, ...) {
  if (!error)
    return status;
  clearError(error);
  error->status = status;
  va_list list;
  va_start(list, format);
  vsnprintf(error->message, sizeof(error->message), format, list);
  va_end(list);
  return status;
}

void adze::rt::append(char *text, size_t capacity, const char *format, ...) {
  size_t used = strnlen(text, capacity);
  if (used >= capacity)
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, capacity - used, format, list);
  va_end(list);
}

void adze::rt::appendMessage(char *text, size_t capacity, const char *message,
                             int64_t a, int64_t b) {
  for (const char *p = message; *p; ++p) {
    bool placeholder = p[0] == '{' && (p[1] == '0' || p[1] == '1');
    if (placeholder && p[2] == '}') {
      append(text, capacity, "%lld",
             static_cast<long long>(p[1] == '0' ? a : b));
      p += 2;
    } else {
      append(text, capacity, "%c", *p);
    }
  }
}

const char *adze::rt::statusName(int32_t status) {
  static const char *const names[] = {"ok",
                                      "invalid argument",
                                      "guard failed",
                                      "runtime error",
                                      "i/o error",
                                      "bad artifact",
                                      "out of memory",
                                      "unsupported cpu",
                                      "internal error"};
  return status >= 0 && status <= ADZE_INTERNAL_ERROR ? names[status]
                                                      : "unknown status";
}
