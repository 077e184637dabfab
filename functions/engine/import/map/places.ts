import { areaKeys, type AreaKey, type FindArea } from '#functions/engine/gazetteer/areas.ts'
import {
  placeKinds,
  type PlaceAnswer,
  type placeFinder,
  type PlaceKind,
} from '#functions/engine/gazetteer/find.ts'
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
    return toPlaceResult(answer, text)
  }
}

/** The function that maps the name or code of an area to a point in it. `sets`: the finders of all sets of the mapping. */
export function areaRun(sets: ReadonlyMap<string, FindArea>): Run {
  return (name, boundarySetId, by) => {
    const find = sets.get(String(boundarySetId))
    // Mappings are read with their sets, so this is a caller that has none.
    if (!find) return new Refusal('Its boundary set was not read.', name)
    if (by !== undefined && !areaKeys.includes(by as AreaKey))
      return new Refusal(`An area is found by one of: ${areaKeys.join(', ')}.`, by)
    const text = String(name)
    return toPlaceResult(find(text, by as AreaKey | undefined), text)
  }
}

function toPlaceResult(answer: PlaceAnswer, text: string) {
  if ('point' in answer) return { type: 'Point', coordinates: answer.point }
  return new NoPlace(answer.kind, answer.message, text)
}
