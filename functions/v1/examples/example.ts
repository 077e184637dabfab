import type { Example } from '#functions/api/openapi/types.ts'

/** A real request. `as`: the person of the test world who sends it; by default one with permission. */
export interface QuestionExample extends Example {
  as?: string
  /** The expected status, if it is not the endpoint's own. */
  status?: number
}

/** By the name of the endpoint. Requests change the test world: see `examples.test.ts` for their order. */
export type Examples = Record<string, QuestionExample>
