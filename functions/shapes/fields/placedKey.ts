/** What JavaScript takes for an index: objects have these before all other keys, whatever the order in which they came. */
const index = /^(?:0|[1-9]\d{0,9})$/

/**
 * A key that is made for a field, so that the field keeps its place among the others: a number by itself, as columns of years have it, begins with
 * an underscore. `2019` gives `_2019`, `2019Sales` stays.
 */
export const placedKey = (key: string) => (index.test(key) ? `_${key}` : key)
