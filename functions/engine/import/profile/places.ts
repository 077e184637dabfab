import type { placeFinder, PlaceKind } from '#functions/engine/gazetteer/find.ts'
import { geometryTypes } from '#functions/shapes/field.ts'
import { splitKeyPath, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import type { SourceRow } from '../row.ts'
import { placeKey } from '#functions/engine/gazetteer/name-key.ts'
import { areaOffer, type OfferedSet } from './areas.ts'
import { emptyCounts, isEnough, computeShare, sumCounts, textAt, type PlaceOffer } from './place-offer.ts'
import { keyGiver } from './keys.ts'
import type { Proposal } from './propose.ts'

/** Heads in the languages of hubs, as names are compared. */
const heads = {
  town: /^(?:city|town|municipality|village|locality|settlement|city name|town name|ort|stadt|gemeinde|wohnort|ville|commune|ciudad|municipio|localidad|مدينة|市町村|市区町村|都市)$/,
  postalCode: /^(?:zip|zip ?code|zip ?5|postal code)$/,
  region:
    /^(?:state|province|region|state code|state name|bundesland|estado|provincia|departement|ولاية|都道府県|州)$/,
  country: /^(?:country|country name|country code|nation|land|staat|pays|pais|دولة|国)$/,
}

/** Whether a proposal has no field with a location: only then are places looked for. */
export function hasNoShape({ schema }: Proposal): boolean {
  return !Object.values(schema).some(({ type }) => (geometryTypes as readonly string[]).includes(type))
}

/** Whether a header suggests names of towns or postal codes: only then is the gazetteer worth loading. */
export const mayNameTowns = ({ fields }: Proposal): boolean => namesIn(fields) !== undefined

/** What the names of a proposal may be found in. */
export interface PlacesKnown {
  /** Null: there is no gazetteer. */
  find: ReturnType<typeof placeFinder> | null
  sets: readonly OfferedSet[]
}

/**
 * Adds a point made from place names to a proposal, where a column has them and nothing else gives a location; unchanged
 * where too few names are known. Areas of a set of the organization go before towns, unless more of the names lead to a
 * town. `rows`: the first ones, on which the evidence is based.
 */
export function withPlaces(
  proposal: Proposal,
  rows: readonly SourceRow[],
  { find, sets }: PlacesKnown,
): Proposal {
  if (!hasNoShape(proposal)) return proposal
  const [towns, areas] = [find && townOffer(proposal, rows, find), areaOffer(proposal, rows, sets)]
  const offer = areas && (!towns || computeShare(areas.counts) >= computeShare(towns.counts)) ? areas : towns
  if (!offer) return proposal
  const { value, paths, counts, what, origin } = offer
  const all = sumCounts(counts)
  const key = keyGiver(['id', ...Object.keys(proposal.schema)])('location')
  return {
    ...proposal,
    schema: { ...proposal.schema, [key]: { name: 'Location', type: 'point' } },
    mapping: { ...proposal.mapping, [key]: value },
    fields: [
      ...proposal.fields,
      {
        ...{ key, paths, type: 'point', values: all, parsed: counts.placed, failing: [], missing: [] },
        reason: `The column “${paths[0]}” ${what}: of the first ${all} names ${counts.placed} lead to a point, ${counts.ambiguous} are of several places, ${counts.unknown} are not known.`,
        notes: [
          `Points are ${origin}. A row whose name leads to no one point comes in without, and is listed.`,
        ],
      },
    ],
  }
}

/** A point made from the names of towns or postal codes; null where no column has enough that are known. */
function townOffer(
  { fields }: Proposal,
  rows: readonly SourceRow[],
  find: ReturnType<typeof placeFinder>,
): PlaceOffer | null {
  const names = namesIn(fields)
  if (!names) return null
  const [region, country] = [columnHeaded(fields, heads.region), columnHeaded(fields, heads.country)]
  const counts = emptyCounts()
  for (const { value } of rows) {
    const text = textAt(value, names.column)
    if (text === undefined) continue
    const within = { region: region && textAt(value, region), country: country && textAt(value, country) }
    const answer = find(text, { kind: names.kind, ...within })
    counts['point' in answer ? 'placed' : answer.kind] += 1
  }
  if (!isEnough(counts)) return null
  const parts: MappingValue[] = [{ field: names.column }, names.kind]
  if (region || country) parts.push(region ? { field: region } : null)
  if (country) parts.push({ field: country })
  return {
    value: { transform: 'findPlace', arguments: parts },
    paths: [names.column, region, country].filter((path) => path !== undefined),
    ...{ counts, what: 'names places', origin: 'those of GeoNames (CC BY 4.0) and Natural Earth' },
  }
}

type Fields = Proposal['fields']

function namesIn(fields: Fields): { column: string; kind: PlaceKind } | undefined {
  for (const kind of ['town', 'postalCode'] as const) {
    const column = columnHeaded(fields, heads[kind])
    if (column !== undefined) return { column, kind }
  }
  return undefined
}

function columnHeaded(fields: Fields, head: RegExp): string | undefined {
  return fields.find(
    ({ paths: [path = '', ...others] }) =>
      others.length === 0 && head.test(placeKey(splitKeyPath(path).at(-1) ?? '')),
  )?.paths[0]
}
