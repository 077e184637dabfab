import { content } from './content.ts'
import { reads, restores, writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as pages from '#functions/domain/pages.ts'
import { NewPage, PageChanges, PageOptions, PageRow } from '#functions/shapes/page.ts'

const { validate: _validate, ...nested } = content

/** Data stories, dashboards and blank pages, with their contents in order. */
export const page = {
  publish: endpoint({
    allow: 'page.publish',
    http: { method: 'post', one: true },
    summary: 'Publish a page for those who may see it',
    returns: PageRow,
    run: pages.publish,
  }),
  ...restores('page.delete', pages, PageRow),
  ...reads('page.read', PageOptions, pages, PageRow),
  ...writes(
    { create: 'page.create', update: 'page.update', delete: 'page.delete' },
    { create: NewPage, update: PageChanges },
    pages,
    PageRow,
  ),
  content: nested,
}
