import { placeKinds, type placeFinder, type PlaceKind } from '#functions/engine/gazetteer/find.ts'
import { NoPlace, Refusal } from './reading.ts'
import type { Run } from './transforms.ts'

export type FindPlace = ReturnType<typeof placeFinder>

const noPlaces =
  'The names of places have not been made on this server. Whoever runs it makes them together with the tiles of maps.'

/** The function that maps a place name to its point; rejects all values without a gazetteer. Ambiguous names have none. */
export function placeRun(find: FindPlace | null | undefined): Run {
  return (name, kind, region, country, prefer) => {
    if (!find) return new Refusal(noPlaces, name)
    if (!placeKinds.includes(kind as PlaceKind))
      return new Refusal(`A place is one of: ${placeKinds.join(', ')}.`, kind)
    const text = String(name)
    const answer = find(text, {
      kind: kind as PlaceKind,
      region: region as string | undefined,
      country: country as string | undefined,
      isLargest: prefer === 'largest',
    })
    if ('point' in answer) return { type: 'Point', coordinates: answer.point }
    return new NoPlace(answer.kind, answer.message, text)
  }
}
