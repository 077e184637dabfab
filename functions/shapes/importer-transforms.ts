/** The types of a transform's arguments. */
export type ArgumentType = 'text' | 'number' | 'boolean' | 'list' | 'geometry' | 'any'

export interface TransformArgument {
  name: string
  types: readonly ArgumentType[]
  required?: true
  /** The allowed constants, if restricted. */
  options?: readonly string[]
  /** It must be a constant text, because what it names is read before the rows. */
  isConstant?: true
}

interface Transform {
  notes: string
  arguments: readonly TransformArgument[]
  /** The last argument may be repeated; this is the minimum in all. */
  atLeast?: number
  /** Another spelling in stored mappings. */
  alias?: string
}

const need = (name: string, ...types: ArgumentType[]): TransformArgument => ({ name, types, required: true })
const may = (name: string, ...types: ArgumentType[]): TransformArgument => ({ name, types })
const text = need('text', 'text')
const values = { arguments: [need('value', 'any')], atLeast: 1 } as const
const numbers = { arguments: [need('number', 'number')], atLeast: 2 } as const
const geometry = need('geometry', 'geometry')

/** All transforms of mappings, used for validation and for the catalogue. */
export const transforms: Readonly<Record<string, Transform>> = {
  normalize: { notes: 'Trimmed, single spaces, lower case.', arguments: [text] },
  phone: {
    notes: 'A telephone number as +12125550100.',
    arguments: [need('number', 'text', 'number'), may('country', 'text')],
  },
  capitalize: { notes: 'The first letter in upper case.', arguments: [text] },
  capitalizeWords: { notes: 'The first letter of each word in upper case.', arguments: [text] },
  guid: { notes: 'The same id whenever the values are the same.', ...values },
  slug: { notes: 'Lower-case words joined by dashes.', ...values },
  split: { notes: 'A list of the parts of a text.', arguments: [text, may('separator', 'text')] },
  join: {
    notes: 'The items of a list as one text.',
    arguments: [need('list', 'list'), may('separator', 'text')],
  },
  convert: {
    notes: 'A number in another unit.',
    arguments: [need('number', 'number'), need('from', 'text'), need('to', 'text')],
  },
  add: { notes: 'The sum.', ...numbers },
  subtract: { notes: 'The first less all that follow.', ...numbers },
  compact: { notes: 'A list without its empty items.', arguments: [need('list', 'list')] },
  flatten: { notes: 'Lists in a list as one list.', arguments: [need('list', 'list')] },
  concatenate: { notes: 'Several lists as one.', arguments: [need('list', 'list')], atLeast: 2 },
  simplifyGeometry: {
    notes: 'With fewer points, within a tolerance in metres (1), at six decimals.',
    arguments: [geometry, may('tolerance', 'number')],
  },
  centroid: { notes: 'The point in the middle.', arguments: [geometry] },
  ensureMulti: { notes: 'A line or polygon as its multi form.', arguments: [geometry] },
  createBoolean: { notes: 'True or false.', arguments: [need('value', 'any')], alias: 'creatBoolean' },
  createString: { notes: 'A text.', arguments: [need('value', 'any')] },
  createNumber: { notes: 'A number.', arguments: [need('value', 'any')] },
  createDate: { notes: 'A date.', arguments: [need('value', 'any')] },
  createArray: { notes: 'A list of the values.', ...values },
  createPoint: {
    notes: 'A point.',
    arguments: [need('longitude', 'number', 'text'), need('latitude', 'number', 'text')],
  },
  findPlace: {
    notes:
      'The point of a place by its name, out of GeoNames and Natural Earth. A name that is of several places or unknown gives none, and the run lists it.',
    arguments: [
      need('name', 'text', 'number'),
      { ...need('kind', 'text'), options: ['town', 'region', 'country', 'postalCode'] },
      may('region', 'text'),
      may('country', 'text'),
      { ...may('prefer', 'text'), options: ['largest'] },
    ],
  },
  findArea: {
    notes:
      'A point inside an area, by its name or code in a boundary set of the organization or a built-in one. A text that is of several areas or unknown gives none, and the run lists it.',
    arguments: [
      need('name', 'text', 'number'),
      { ...need('boundarySetId', 'text'), isConstant: true },
      { ...may('by', 'text'), options: ['name', 'code'] },
    ],
  },
  createLineString: {
    notes: 'A line between two points.',
    arguments: ['startLongitude', 'startLatitude', 'endLongitude', 'endLatitude'].map((name) =>
      need(name, 'number', 'text'),
    ),
  },
}

const byAlias = new Map(Object.entries(transforms).map(([name, { alias }]) => [alias, name]))

/** The canonical name of a transform; undefined if unknown. */
export function transformNamed(name: string): string | undefined {
  return Object.hasOwn(transforms, name) ? name : byAlias.get(name)
}

/** The transforms for the catalogue. */
export function transformCatalogue() {
  return Object.entries(transforms).map(([name, { notes, arguments: list, atLeast }]) => ({
    name,
    notes,
    arguments: list.map(({ name: argument, types, required = false }) => ({
      name: argument,
      types: [...types],
      required,
    })),
    atLeast: atLeast ?? list.filter(({ required }) => required).length,
    repeats: atLeast !== undefined,
  }))
}
