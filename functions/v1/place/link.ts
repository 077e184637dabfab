import { endpoint } from '#functions/api/endpoint.ts'
import * as links from '#functions/domain/link/links.ts'
import { LinkRow, NewLink } from '#functions/shapes/link.ts'

/** Short links for sharing. */
export const link = {
  create: endpoint({
    allow: 'link.create',
    data: NewLink,
    returns: LinkRow,
    summary: 'A short address for a page of the hub or the workspace',
    run: links.create,
  }),
}
