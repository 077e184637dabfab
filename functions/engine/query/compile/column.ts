/**
 * The name of an aggregation in SQL, from its position. Not the alias: Postgres cuts names after 63 bytes, and a
 * plugin that turns snake_case into camelCase would change it.
 */
export function columnName(index: number): string {
  return `c${index + 1}`
}
