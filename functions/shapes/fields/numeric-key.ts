/** Keys that JavaScript treats as indexes, which objects order before all others. */
const index = /^(?:0|[1-9]\d{0,9})$/

/** Prefixes a purely numeric key with an underscore, so that the field keeps its position: `2019` gives `_2019`, `2019Sales` stays. */
export const prefixNumericKey = (key: string) => (index.test(key) ? `_${key}` : key)
