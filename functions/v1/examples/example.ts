import type { Example } from '#functions/api/openapi/types.ts'

/** A real request, and who of the test world asks; else someone whom the access table lets. */
export interface QuestionExample extends Example {
  as?: string
  /** What it is answered where that is not the endpoint's own status: 503 where the engine is not built yet. */
  status?: number
}

/** By the name of the endpoint. Requests change the world they are asked in: see `examples.test.ts` for their order. */
export type Examples = Record<string, QuestionExample>
