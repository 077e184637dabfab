import type { Draft } from './draft.ts'

/** So many values of a field are suggested. */
const limit = 50

/** Gives the function that gives the most frequent values of a field, of the data that a draft asks; each field is asked once. */
export function suggester({
  placeId,
  dataTypeId,
  sourceId,
}: Pick<Draft, 'dataTypeId' | 'sourceId'> & { placeId: string }): (path: string) => Promise<string[]> {
  const known = new Map<string, Promise<string[]>>()
  const ask = async (field: string) => {
    const { api } = await import('#app/client/api/index.ts')
    const options = { field: [field], limit }
    const { place } = api()
    const answer = sourceId
      ? await place.source.values({ placeId, sourceId, options })
      : await place.dataType.values({ placeId, dataTypeId, options })
    const values = 'results' in answer && Array.isArray(answer.results) ? answer.results : []
    return values.flatMap((each) => {
      const { value } = each as { value: string | number | boolean | null }
      return value === null ? [] : String(value)
    })
  }
  return (path) => {
    const before = known.get(path)
    if (before) return before
    const asked = ask(path)
    known.set(path, asked)
    // What failed may be asked again
    asked.catch(() => known.delete(path))
    return asked
  }
}
