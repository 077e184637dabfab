import { functions } from '../query/index.ts'

/** What a person who builds a question is told of a function. */
export interface FunctionNotes {
  name: string
  notes: string
  category: string
  signature: readonly object[]
  returns: { static?: object }
  aggregate: boolean
}

/** The functions of the query language by key: what the picker of the editor shows. */
export async function languageFunctions(): Promise<Record<string, FunctionNotes>> {
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
