import { functions } from '#functions/engine/query/index.ts'
import { operators } from '#functions/engine/query/library/operators.ts'

/** The functions of the query language by key: what the picker of the editor shows. */
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

/** The operators of filters, in their order: what stands at the right side of each, and the types of fields it is for. */
export function languageOperators() {
  return [...operators.values()].map(({ key, takes, types }) => ({
    key,
    takes,
    types: [...types] as string[],
  }))
}
