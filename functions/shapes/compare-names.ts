/** Compares names like the database's collation (`natural_order`): ignoring case, and numbers by value. */
export const compareNames: (a: string, b: string) => number = new Intl.Collator('und', { numeric: true })
  .compare
