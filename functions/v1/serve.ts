import { serve } from '#functions/api/serve.ts'
import { v1 } from './index.ts'

/** Answers a request to `/v1` for who `ctx` says it is. Never throws. */
export const serveV1 = serve(v1, '/v1')
