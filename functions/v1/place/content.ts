import { writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as contents from '#functions/domain/page/contents.ts'
import { ContentChanges, ContentOptions, ContentRow, NewContent } from '#functions/shapes/content.ts'
import { buildListShape } from '#functions/shapes/returns.ts'

/** The contents of pages. Mounted twice: for one page, and for all pages of a place. */
export const content = {
  find: endpoint({
    allow: 'page.read',
    options: ContentOptions,
    returns: buildListShape(ContentRow),
    run: contents.find,
  }),
  findById: endpoint({ allow: 'page.read', returns: ContentRow, run: contents.findById }),
  ...writes(
    { create: 'page.update', update: 'page.update', delete: 'page.update' },
    { create: NewContent, update: ContentChanges },
    contents,
    ContentRow,
  ),
}
