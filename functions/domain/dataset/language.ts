import { functions } from '#functions/engine/query/index.ts'
import { operators } from '#functions/engine/query/library/operators.ts'

/** The functions of the query language by key, for the function picker of the editor. */
export async function languageFunctions() {
  return Object.fromEntries(
    functions.map(({ key, name, notes, category, signature, returns, aggregate }) => [
      key,
      {
        name,
        notes,
        category,
        signature,
        returns: returns.static ? { static: returns.static } : {},
        aggregate,
      },
    ]),
  )
}

/** The filter operators, in their order: what their right side takes, and the field types they apply to. */
export function languageOperators() {
  return [...operators.values()].map(({ key, takes, types }) => ({
    key,
    takes,
    types: [...types] as string[],
  }))
}
