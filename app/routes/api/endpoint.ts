/** A row in the reference's tables. */
export interface ReferenceField {
  name: string
  /** Its location: path, query or header; '' for the body. */
  where: string
  type: string
  isRequired: boolean
  notes: string
}

/** An endpoint in the list of the reference. */
export interface ReferenceHead {
  name: string
  noun: string
  method: string
  path: string
  summary: string
}

/** The full reference of an endpoint. */
export interface ReferenceEndpoint extends ReferenceHead {
  description: string
  parameters: ReferenceField[]
  body: ReferenceField[]
  /** The type of body or response if it is no object with own fields; '' without one. */
  bodyType: string
  answerType: string
  curl: string
  sdk: string
  /** The response of the example as JSON; null if too long or a file. */
  answer: string | null
  refusals: { status: string; meaning: string }[]
}

/** A noun with its endpoints. */
export interface ReferenceNoun {
  name: string
  sentence: string
  endpoints: ReferenceHead[]
}
