import { content } from './content.ts'
import { reads, restores, writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as pages from '#functions/domain/page/pages.ts'
import * as versions from '#functions/domain/page/page-versions.ts'
import {
  NewPage,
  PageChanges,
  PageOptions,
  PageRow,
  PageVersionOptions,
  PageVersionRow,
  PageVersions,
  PublishPage,
} from '#functions/shapes/page.ts'

const { validate: _validate, ...contentEndpoints } = content

/** Data stories, dashboards and blank pages, with their contents in order. */
export const page = {
  publish: endpoint({
    allow: 'page.publish',
    http: { method: 'post', one: true },
    data: PublishPage,
    summary:
      'Publish a page for those who may see it; refused where some could not read it or would not see all',
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
  content: contentEndpoints,
  version: {
    // Older versions are not for readers: only people who may change the page see them.
    find: endpoint({
      allow: 'page.update',
      options: PageVersionOptions,
      summary: 'What a page said before, newest first; a page over 10 MB keeps no more',
      returns: PageVersions,
      run: versions.find,
    }),
    findById: endpoint({
      allow: 'page.update',
      summary: 'A version of a page with all that it said',
      returns: PageVersionRow,
      run: versions.findById,
    }),
    restore: endpoint({
      allow: 'page.update',
      http: { method: 'post', one: true },
      summary: 'Make a page say again what it said in a version',
      returns: PageRow,
      run: versions.restore,
    }),
  },
}
