import type { Cadence } from '#functions/shapes/metadata.ts'

/** The properties of a hub in all its documents. URLs are absolute. */
export interface HubFacts {
  /** The origin of the hub, without a trailing slash. */
  origin: string
  /**
   * The host below the product's own and the day the place was created, for ids in feeds. It does not change when the
   * hub moves to another domain.
   */
  authority: string
  since: string
  name: string
  description: string
  /** The tag of the language that its texts are written in. */
  language: string
  /** Whom one may write to about the data. */
  email: string
  /** The newest change of anything listed, as ISO text; null for an empty hub. */
  updatedAt: string | null
}

/** A file in which a dataset can be had. */
export interface FileFacts {
  /** The display name of the format: CSV. */
  label: string
  extension: string
  mediaType: string
  url: string
}

/** One column of a dataset. */
interface VariableFacts {
  name: string
  description: string
  /** '' for none. */
  unit: string
  /** The names of some of its values; empty where they are self-explanatory. */
  values: { value: string; name: string }[]
}

/** A custom metadata field with a source's value. */
export interface PropertyFacts {
  key: string
  title: string
  value: string | number
}

/** The publisher, contact and update frequency of a source; null: not stated. */
export interface DatasetMetadata {
  licenceUrl: string | null
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  /** An email or web address. */
  contact: string | null
  cadence: Cadence | null
}

/** The translated texts of a source in another language of the hub. */
export interface DatasetTexts {
  language: string
  title?: string
  description?: string
  theme?: string
  topic?: string
  keywords: string[]
}

/** A public source for catalogues and search engines. Times are ISO text. */
export interface DatasetFacts extends DatasetMetadata {
  id: string
  title: string
  description: string
  /** Its page. */
  url: string
  dataTypeId: string
  /** The domain's name. */
  theme: string
  /** Its own topic, or else that of its domain; null where neither has one. */
  topic: string | null
  /** Further keywords. */
  keywords: string[]
  /** As entered: a name or a URL; null where none is stated. */
  licence: string | null
  attribution: string | null
  attributionUrl: string | null
  /** The data version; 0 before the first data. */
  version: number
  count: number
  createdAt: string
  /** The last change of its data or its description. */
  updatedAt: string
  /** West, south, east, north in degrees; null without geometry. */
  extent: number[] | null
  /** The first and the last time in the data; null without. */
  period: { start: string; end: string } | null
  /** Its translations into other languages of the hub; absent where they were not requested. */
  translations?: readonly DatasetTexts[]
  /** Its values in public custom fields, in order; absent without any. */
  properties?: PropertyFacts[]
  variables: VariableFacts[]
  files: FileFacts[]
}

/** A published public page. */
export interface StoryFacts {
  id: string
  title: string
  summary: string
  /** Its author; null: not stated, and the publisher is used. */
  author: string | null
  url: string
  publishedAt: string
  updatedAt: string
}

/** A text as one line, for places that have room for no more. */
export function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
