import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import { bulkNouns, type BulkNoun } from '#app/components/list/bulk-actions.ts'
import { load } from './load.server.ts'
import { bulkEndpoints } from './bulk-endpoints.server.ts'
import { hasPermission } from './session.server.ts'

/** A command: its label, path, required operation, and synonyms for search. */
type CommandRow = readonly [label: string, to: string, allow: OperationName, words: string]

/** Commands that are available anywhere in an organization. */
const anywhere: readonly CommandRow[] = [
  ['Add data', '/sources/create', 'source.create', 'new source import upload a file csv excel address url'],
  ['Create an insight', '/insights/create', 'insight.create', 'new question chart map number table'],
  ['Create a collection', '/collections/create', 'collection.create', 'new gather'],
  ['Write a story, page or dashboard', '/pages#new', 'page.create', 'new create board'],
  ['Create a data type', '/types/create', 'dataType.create', 'new schema fields'],
  ['Add boundaries', '/boundaries/create', 'boundarySet.create', 'new areas districts wards geojson'],
  ['Invite someone', '/team#invite', 'invite.create', 'new member person colleague add people team'],
  ['Describe many sources', '/sources/describe', 'source.update', 'licence contact topic bulk metadata'],
  ['Rename tags or make one of two', '/tags', 'source.update', 'merge keywords labels'],
  ['Change how the organization looks', '/org/manage#look', 'place.update', 'colour logo picture brand'],
  [
    'Arrange the first page of the hub',
    '/org/manage/hub',
    'place.update',
    'sections order languages homepage',
  ],
  ['Take an archive of everything', '/org/manage/archive', 'place.archive', 'export backup download'],
]

const many = (noun: string, action: string, id: string) => `/many/${noun}?do=${action}&id=${id}`

/** The current state of the screen's thing; commands that would not change it are not offered. */
interface ThingState {
  visibility?: string
  publish?: string
}

/** Whether a command would change nothing, judging by its path. */
function isAlready(to: string, { visibility, publish }: ThingState): boolean {
  const action = /^\/many\/\w+\?do=(\w+)&/.exec(to)?.[1]
  if (action === 'draft' || action === 'publish')
    return publish === (action === 'draft' ? 'draft' : 'published')
  return action === 'public' && visibility === 'public'
}

/** Commands for the thing of a screen, by the first segment of its path. `at`: its id; `type`: of a page. */
const here: Record<BulkNoun, (at: string, type: string) => readonly CommandRow[]> = {
  sources: (at) => [
    [
      'Import into this source',
      `/sources/${at}/importers/create`,
      'importer.create',
      'file upload address records',
    ],
    [
      'Ask a question of this source',
      `/insights/create?source=${at}`,
      'insight.create',
      'new insight chart map',
    ],
    ['Export this source', `/sources/${at}/export`, 'source.read', 'download file'],
    ['Make this source public', many('sources', 'public', at), 'source.update', 'publish'],
    ['Add tags to this source', many('sources', 'tag', at), 'source.update', 'keywords'],
    ['Duplicate this source', `/duplicate/sources/${at}`, 'source.create', 'copy'],
    ['Delete this source', many('sources', 'delete', at), 'source.delete', 'remove'],
  ],
  insights: (at) => [
    ['Modify this insight', `/insights/${at}/modify`, 'insight.update', 'edit change'],
    ['Make this insight public', many('insights', 'public', at), 'insight.update', 'publish'],
    ['Add tags to this insight', many('insights', 'tag', at), 'insight.update', 'keywords'],
    ['Duplicate this insight', `/duplicate/insights/${at}`, 'insight.create', 'copy'],
    ['Delete this insight', many('insights', 'delete', at), 'insight.delete', 'remove'],
  ],
  collections: (at) => [
    ['Modify this collection', `/collections/${at}/modify`, 'collection.update', 'edit change rename'],
    ['Arrange this collection', `/collections/${at}?arrange`, 'collection.update', 'order sort move'],
    ['Make this collection public', many('collections', 'public', at), 'collection.update', 'publish'],
    ['Add tags to this collection', many('collections', 'tag', at), 'collection.update', 'keywords'],
    ['Duplicate this collection', `/duplicate/collections/${at}`, 'collection.create', 'copy'],
    ['Delete this collection', many('collections', 'delete', at), 'collection.delete', 'remove'],
  ],
  pages: (at, type) => [
    ['Modify this page', `/pages/${type}/${at}/modify`, 'page.update', 'edit change write story'],
    ['Publish this page', many('pages', 'publish', at), 'page.publish', 'story public'],
    ['Take this page back to draft', many('pages', 'draft', at), 'page.update', 'unpublish'],
    ['Add tags to this page', many('pages', 'tag', at), 'page.update', 'keywords'],
    ['Duplicate this page', `/duplicate/pages/${at}`, 'page.create', 'copy story'],
    ['Delete this page', many('pages', 'delete', at), 'page.delete', 'remove story'],
  ],
  types: (at) => [
    ['Modify this data type', `/types/${at}/modify`, 'dataType.update', 'edit fields'],
    ['Copy this data type', `/types/create?from=${at}`, 'dataType.create', 'duplicate'],
    ['Watch data of this type', `/types/${at}/observers/create`, 'observer.create', 'observer alert'],
  ],
}

/** Path segments below a list that are not ids. */
const noThing = new Set(['', 'create', 'describe', 'community', 'inventory', 'reference', 'catalog'])

/** The thing that a screen is about, from its path; null without one. Its id stays URL-encoded. */
function thingAt(path: string): { list: BulkNoun; id: string; type: string } | null {
  const [, list = '', ...rest] = path.split('/').map(encodeURIComponent)
  const [type = '', id = ''] = list === 'pages' ? rest : ['', rest[0]]
  const noun = bulkNouns.find((each) => each === list)
  return noun && !noThing.has(id) ? { list: noun, id, type } : null
}

/**
 * The commands available to the person: first those for the thing of the screen at `path`, then the global ones. Filtered by the same
 * permissions as the endpoints, and by the current `state` of the thing; other obstacles are explained by the target screen.
 */
export function commandsFor(
  ctx: Context,
  path: string,
  state: ThingState = {},
): { to: string; label: string; words: string }[] {
  if (ctx.placeId === null) return []
  const thing = thingAt(path)
  const ofThing = thing ? here[thing.list](thing.id, thing.type) : []
  return [...ofThing.filter(([, to]) => !isAlready(to, state)), ...anywhere]
    .filter(([, , allow]) => hasPermission(ctx, allow))
    .map(([label, to, , words]) => ({ label, to, words }))
}

/** `commandsFor` a screen, with the current state of its thing. */
export async function commandsAt(args: LoaderFunctionArgs, path: string) {
  const thing = thingAt(path)
  if (!thing || thing.list === 'types') return commandsFor(args.context.ctx, path)
  const filters = { id: decodeURIComponent(thing.id) }
  const { rows } = await load(args, {
    rows: { endpoint: bulkEndpoints[thing.list].find, options: { filters, limit: 1 } },
  })
  const [state] = (rows as { results: ThingState[] }).results
  return commandsFor(args.context.ctx, path, state)
}
