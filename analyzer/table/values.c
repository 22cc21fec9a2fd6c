/*
 * Where C's numbers and JSON's differ is decided here, so that all tables differ
 * alike.
 */
#include "analyzer/table/values.h"

#include <math.h>

json_t *mwa_json_number(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *mwa_json_text(const char *value)
{
    json_t *string = value ? json_string(value) : json_null();
    char clean[1024];
    size_t i;

    if (string || !value) {
        return string;
    }
    for (i = 0; value[i] && i + 1 < sizeof clean; i++) {
        clean[i] = (unsigned char)value[i] < 0x80 ? value[i] : '?';
    }
    clean[i] = 0;
    return json_string(clean);
}

json_t *mwa_json_ratio(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
