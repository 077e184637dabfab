import { licenceUrl } from '#functions/shapes/licences.ts'
import { parseContact } from '#functions/shapes/metadata.ts'
import { toOneLine, type DatasetFacts, type HubFacts, type PropertyFacts, type StoryFacts } from './facts.ts'

/** A schema.org object, embedded in a page as JSON-LD. */
export type Thing = Record<string, unknown>

const context = 'https://schema.org'
const maxNamed = 20
const organization = ({ origin, name }: HubFacts) => ({ '@type': 'Organization', name, url: `${origin}/` })

/** A description of 50 to 5,000 characters, as search engines require. */
function describe(text: string, otherwise: string): string {
  const message = toOneLine(text)
  return (message.length >= 50 ? message : toOneLine(`${message} ${otherwise}`)).slice(0, 5000)
}

/** A source as a `Dataset`, as search engines for data read it. */
export function datasetThing(hub: HubFacts, dataset: DatasetFacts): Thing {
  const { title, url, theme, licence, attribution, attributionUrl, extent, period, variables } = dataset
  const license = licenceUrl(licence, dataset.licenceUrl) ?? licence
  return {
    '@context': context,
    '@type': 'Dataset',
    '@id': `${url}#dataset`,
    name: title,
    description: describe(
      dataset.description,
      `${title} is open data of ${hub.name} about ${theme}, with ${dataset.count.toLocaleString('en')} records.`,
    ),
    url,
    identifier: `${hub.authority}/${dataset.id}`,
    version: String(dataset.version),
    keywords: [...new Set([theme, ...dataset.keywords])],
    ...(license && { license }),
    creator: attribution
      ? { '@type': 'Organization', name: attribution, ...(attributionUrl && { url: attributionUrl }) }
      : organization(hub),
    publisher: buildPublisher(hub, dataset),
    datePublished: toSecond(dataset.createdAt),
    dateModified: toSecond(dataset.updatedAt),
    isAccessibleForFree: true,
    ...(period && { temporalCoverage: `${period.start}/${period.end}` }),
    ...(extent && { spatialCoverage: { '@type': 'Place', geo: toGeoShape(extent) } }),
    variableMeasured: variables.map(toVariable),
    ...(dataset.properties && { additionalProperty: dataset.properties.map(toPropertyValue) }),
    includedInDataCatalog: { '@type': 'DataCatalog', name: hub.name, url: `${hub.origin}/` },
    distribution: dataset.files.map(({ mediaType, url: contentUrl }) => ({
      '@type': 'DataDownload',
      encodingFormat: mediaType,
      contentUrl,
    })),
  }
}

/** A custom metadata value. */
export const toPropertyValue = ({ key, title, value }: PropertyFacts): Thing => ({
  ...{ '@type': 'PropertyValue', propertyID: key, name: title, value },
})

/**
 * A field, as its name alone where nothing else is known. Long lists of codes are left to the metadata files, since this
 * is part of the page.
 */
function toVariable({ name, description, unit, values }: DatasetFacts['variables'][number]): Thing | string {
  const hasCodes = values.length > 0 && values.length <= maxNamed
  if (!description && !unit && !hasCodes) return name
  return {
    '@type': 'PropertyValue',
    name,
    ...(description && { description }),
    ...(unit && { unitText: unit }),
    ...(hasCodes && {
      valueReference: values.map(({ value, name: label }) => ({
        '@type': 'PropertyValue',
        value,
        name: label,
      })),
    }),
  }
}

/** The publisher, with its contact. */
function buildPublisher(hub: HubFacts, dataset: DatasetFacts): Thing {
  const { publisher, publisherUrl, contactName } = dataset
  const contact = parseContact(dataset.contact)
  return {
    ...(publisher === null
      ? organization(hub)
      : { '@type': 'Organization', name: publisher, ...(publisherUrl && { url: publisherUrl }) }),
    ...(contact && {
      contactPoint: { '@type': 'ContactPoint', ...(contactName && { name: contactName }), ...contact },
    }),
  }
}

/** The box's corners as schema.org writes them: south west, north east, latitude first. */
function toGeoShape([west, south, east, north]: number[]): Thing {
  return { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` }
}

/** A hub as a `DataCatalog`. */
export function catalogueThing(hub: HubFacts): Thing {
  const { origin, name, description, updatedAt } = hub
  return {
    '@context': context,
    '@type': 'DataCatalog',
    '@id': `${origin}/#catalog`,
    name,
    description: describe(description, `Open data of ${name}: indicators, stories, maps and files.`),
    url: `${origin}/`,
    publisher: organization(hub),
    ...(updatedAt && { dateModified: updatedAt }),
    isAccessibleForFree: true,
  }
}

/** A story as an `Article`. */
export function articleThing(
  hub: HubFacts,
  { id, title, summary, author, url, ...story }: StoryFacts,
): Thing {
  return {
    '@context': context,
    '@type': 'Article',
    '@id': `${url}#article`,
    headline: title.slice(0, 110),
    ...(summary && { description: toOneLine(summary) }),
    url,
    mainEntityOfPage: url,
    image: `${hub.origin}/og/pages/${id}.png`,
    datePublished: story.publishedAt,
    dateModified: story.updatedAt,
    // A person, several people, or an office: that is unknown.
    author: author === null ? organization(hub) : { name: author },
    publisher: organization(hub),
  }
}

/** A time to the second, which is enough for search engines. */
const toSecond = (moment: string) => moment.replace(/\.\d+Z$/, 'Z')
