/** A row of the tables of the reference. */
export interface ReferenceField {
  name: string
  /** Where it stands: in the path, the query, a header; empty for the body. */
  where: string
  type: string
  isRequired: boolean
  notes: string
}

/** An endpoint as the list of the reference shows it. */
export interface ReferenceHead {
  name: string
  noun: string
  method: string
  path: string
  summary: string
}

/** An endpoint with all that the reference says of it. */
export interface ReferenceEndpoint extends ReferenceHead {
  description: string
  parameters: ReferenceField[]
  body: ReferenceField[]
  /** What the body or the answer is where it is no object of its own fields; empty without one. */
  bodyType: string
  answerType: string
  curl: string
  sdk: string
  /** What the example was answered, as JSON; null where it is too long or a file. */
  answer: string | null
  refusals: { status: string; meaning: string }[]
}

/** A noun with its endpoints. */
export interface ReferenceNoun {
  name: string
  sentence: string
  endpoints: ReferenceHead[]
}
