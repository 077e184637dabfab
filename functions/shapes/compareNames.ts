/** Compares two names as lists of the database do (`natural_order`): whatever the case, and numbers by what they count. */
export const compareNames: (a: string, b: string) => number = new Intl.Collator('und', { numeric: true })
  .compare
