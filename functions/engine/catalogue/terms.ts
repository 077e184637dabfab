/** A node of linked data with prefixed names: `@id` its IRI (absent: a blank node), `@type` its class. */
export interface Node {
  '@id'?: string
  '@type'?: string | string[]
  [term: string]: Value | undefined
}
export type Value = string | number | Node | LanguageText | (string | Node | LanguageText)[]

/** A text and the language that it is in. */
export interface LanguageText {
  '@value': string
  '@language': string
}

/** The vocabularies that short names are of. */
export const prefixes = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geo: 'http://www.opengis.net/ont/geosparql#',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  org: 'http://www.w3.org/ns/org#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  schema: 'https://schema.org/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  'dcat-us': 'http://data.resources.gov/ontology/dcat-us#',
} as const

/** The definition of a property: its values are texts, IRIs (`@id`) or of a type. */
type Term = string | { '@id': string; '@type': string }

const link = (id: string): Term => ({ '@id': id, '@type': '@id' })
const time = (id: string): Term => ({ '@id': id, '@type': 'xsd:dateTime' })

/** The short names that catalogues use, as DCAT-US 3.0 has them in JSON. */
export const terms: Record<string, Term> = {
  title: 'dct:title',
  description: 'dct:description',
  identifier: 'dct:identifier',
  publisher: link('dct:publisher'),
  creator: link('dct:creator'),
  conformsTo: link('dct:conformsTo'),
  issued: time('dct:issued'),
  modified: time('dct:modified'),
  accessRights: link('dct:accessRights'),
  license: link('dct:license'),
  spatial: link('dct:spatial'),
  temporal: link('dct:temporal'),
  format: link('dct:format'),
  dataset: link('dcat:dataset'),
  distribution: link('dcat:distribution'),
  keyword: 'dcat:keyword',
  theme: link('dcat:theme'),
  contactPoint: link('dcat:contactPoint'),
  landingPage: link('dcat:landingPage'),
  version: 'dcat:version',
  accessURL: link('dcat:accessURL'),
  downloadURL: link('dcat:downloadURL'),
  mediaType: link('dcat:mediaType'),
  startDate: time('dcat:startDate'),
  endDate: time('dcat:endDate'),
  bbox: { '@id': 'dcat:bbox', '@type': 'geo:wktLiteral' },
  describedBy: link('dcat-us:describedBy'),
  homepage: link('foaf:homepage'),
  name: 'foaf:name',
  prefLabel: 'skos:prefLabel',
  label: 'rdfs:label',
  fn: 'vcard:fn',
  hasEmail: link('vcard:hasEmail'),
  hasURL: link('vcard:hasURL'),
  accrualPeriodicity: link('dct:accrualPeriodicity'),
  additionalProperty: link('schema:additionalProperty'),
  propertyID: 'schema:propertyID',
  propertyName: 'schema:name',
  value: 'schema:value',
  view: link('hydra:view'),
  first: link('hydra:first'),
  previous: link('hydra:previous'),
  next: link('hydra:next'),
  last: link('hydra:last'),
  totalItems: 'hydra:totalItems',
}
