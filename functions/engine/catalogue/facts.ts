import type { Cadence } from '#functions/shapes/metadata.ts'

/** What every document of a hub says of the hub itself. Addresses are absolute. */
export interface HubFacts {
  /** Where the hub answers, without a slash at its end. */
  origin: string
  /**
   * The host below the product's own and the day the place came: what ids of feeds are made of. It stays when the hub
   * moves to another domain.
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
  /** What people call the format: CSV. */
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
  /** What some of its values are called; empty where they say it themselves. */
  values: { value: string; name: string }[]
}

/** A field that an organization has made, with what a source says in it. */
export interface PropertyFacts {
  key: string
  title: string
  value: string | number
}

/** Who publishes a source, whom one may ask about it and how often it is meant to change; null: nobody said. */
export interface DatasetMetadata {
  licenceUrl: string | null
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  /** An email or web address. */
  contact: string | null
  cadence: Cadence | null
}

/** What a source says in another language than the hub's own, as far as it is translated. */
export interface DatasetTexts {
  language: string
  title?: string
  description?: string
  theme?: string
  topic?: string
  keywords: string[]
}

/** A public source, as catalogues and search engines want to know it. Times are ISO text. */
export interface DatasetFacts extends DatasetMetadata {
  id: string
  title: string
  description: string
  /** Its page. */
  url: string
  dataTypeId: string
  /** The domain's name. */
  theme: string
  /** What it is about: its own topic, else that of its domain; null where neither has one. */
  topic: string | null
  /** More words to find it by. */
  keywords: string[]
  /** As it was written: a name or an address; null where no one said. */
  licence: string | null
  attribution: string | null
  attributionUrl: string | null
  /** The data version; 0 before the first data. */
  version: number
  count: number
  createdAt: string
  /** When its data changed last, or what is said of it. */
  updatedAt: string
  /** West, south, east, north in degrees; null without geometry. */
  extent: number[] | null
  /** The first and the last time in the data; null without. */
  period: { start: string; end: string } | null
  /** In the other languages of the hub that it is translated into; absent where nobody asked. */
  translations?: readonly DatasetTexts[]
  /** What it says in the public fields that its organization has made, in their order; absent where nothing. */
  properties?: PropertyFacts[]
  variables: VariableFacts[]
  files: FileFacts[]
}

/** A published public page. */
export interface StoryFacts {
  id: string
  title: string
  summary: string
  /** Whom it names as its author; null: nobody, so its publisher speaks. */
  author: string | null
  url: string
  publishedAt: string
  updatedAt: string
}

/** A text as one line, for places that have room for no more. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
