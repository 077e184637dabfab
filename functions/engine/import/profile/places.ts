import type { placeFinder, PlaceKind } from '#functions/engine/gazetteer/find.ts'
import { geometryTypes } from '#functions/shapes/field.ts'
import { own } from '#functions/shapes/fields/plain.ts'
import { keysOf, type MappingValue } from '#functions/shapes/importerMapping.ts'
import { isBlank } from '../map/reading.ts'
import type { SourceRow } from '../row.ts'
import { placeKey } from '#functions/engine/gazetteer/name-key.ts'
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

/** The shares of names that must be known, and that must be unambiguous, for a proposal. */
const leastKnown = 0.8
const leastPlaced = 0.5

/** Whether a header suggests place names that could be located: only then is the gazetteer worth loading. */
export function mayNamePlaces({ schema, fields }: Proposal): boolean {
  const hasShape = Object.values(schema).some(({ type }) =>
    (geometryTypes as readonly string[]).includes(type),
  )
  return !hasShape && namesIn(fields) !== undefined
}

/**
 * Adds a point made from place names to a proposal, where a column has them and nothing else gives a location; unchanged
 * where too few names are known. `rows`: the first ones, on which the evidence is based.
 */
export function withPlaces(
  proposal: Proposal,
  rows: readonly SourceRow[],
  find: ReturnType<typeof placeFinder>,
): Proposal {
  const names = namesIn(proposal.fields)
  if (!names) return proposal
  const [region, country] = [
    columnHeaded(proposal.fields, heads.region),
    columnHeaded(proposal.fields, heads.country),
  ]
  const counts = { placed: 0, ambiguous: 0, unknown: 0 }
  for (const { value } of rows) {
    const text = textAt(value, names.column)
    if (text === undefined) continue
    const within = { region: region && textAt(value, region), country: country && textAt(value, country) }
    const answer = find(text, { kind: names.kind, ...within })
    counts['point' in answer ? 'placed' : answer.kind] += 1
  }
  const all = counts.placed + counts.ambiguous + counts.unknown
  if (counts.placed < leastPlaced * all || all - counts.unknown < leastKnown * all || all === 0)
    return proposal
  const key = keyGiver(['id', ...Object.keys(proposal.schema)])('location')
  const parts: MappingValue[] = [{ field: names.column }, names.kind]
  if (region || country) parts.push(region ? { field: region } : null)
  if (country) parts.push({ field: country })
  const paths = [names.column, region, country].filter((path) => path !== undefined)
  return {
    ...proposal,
    schema: { ...proposal.schema, [key]: { name: 'Location', type: 'point' } },
    mapping: { ...proposal.mapping, [key]: { transform: 'findPlace', arguments: parts } },
    fields: [
      ...proposal.fields,
      {
        ...{ key, paths, type: 'point', values: all, parsed: counts.placed, failing: [], missing: [] },
        reason: `The column “${names.column}” names places: of the first ${all} names ${counts.placed} lead to a point, ${counts.ambiguous} are of several places, ${counts.unknown} are not known.`,
        notes: [
          'Points are those of GeoNames (CC BY 4.0) and Natural Earth. A row whose name leads to no one point comes in without, and is listed.',
        ],
      },
    ],
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
      others.length === 0 && head.test(placeKey(keysOf(path).at(-1) ?? '')),
  )?.paths[0]
}

function textAt(row: unknown, path: string): string | undefined {
  let value = row
  for (const key of keysOf(path)) {
    if (typeof value !== 'object' || value === null) return undefined
    value = own(value as Record<string, unknown>, key)
  }
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !isBlank(value) ? value : undefined
}
