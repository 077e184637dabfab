import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import type { SearchedNoun } from '#functions/shapes/place-search.ts'
import type { BulkNoun } from '#app/components/list/bulk-actions.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { bulkEndpoints } from './bulk-endpoints.server.ts'
import { hasPermission } from './session.server.ts'

/** A command: its label, path, required operation, and synonyms for search. */
export type CommandRow = readonly [label: string, to: string, allow: OperationName, words: string]

/** An available command. */
export interface Command {
  to: string
  label: string
  words: string
}

/** Commands that are available anywhere in an organization. */
const anywhere: readonly CommandRow[] = [
  ['Add data', '/sources/create', 'source.create', 'new source import upload a file csv excel address url'],
  ['Create an insight', '/insights/create', 'insight.create', 'new question chart map number table'],
  ['Create a collection', '/collections/create', 'collection.create', 'new gather'],
  ['Write a story, page or dashboard', '/pages#new', 'page.create', 'new create board'],
  ['Create a data type', '/types/create', 'dataType.create', 'new schema fields'],
  ['Add boundaries', '/boundaries/create', 'boundarySet.create', 'new areas districts wards geojson'],
  ['Upload a picture or file', '/media-library', 'asset.create', 'new media image photo document add'],
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

/** Commands without an organization. */
const withoutPlace: readonly CommandRow[] = [
  ['Get an organization', '/organization/new', 'place.start', 'new create make join ask'],
  ['Import an archive', '/organization/archive', 'place.start', 'organization restore'],
]

const buildBulkPath = (noun: BulkNoun, action: string, id: string) => `/many/${noun}?do=${action}&id=${id}`

/** A thing that commands are about. What is not known of its state is absent: then no command is withheld for it. */
interface CommandSubject {
  noun: SearchedNoun
  id: string
  /** What its path needs besides its id, as in `FoundThing`. */
  under?: string | null
  visibility?: string | null
  publish?: string | null
  enabled?: boolean | null
  isOwn?: boolean
  /** Its name, which a list of people is searched by. */
  name?: string
}

/** Whether a command would change nothing, or cannot be done as things are, judging by its path. */
function isPointless([, to]: CommandRow, { visibility, publish, enabled, isOwn }: CommandSubject): boolean {
  if (to.endsWith('?do=run')) return enabled === false
  const action = /^\/many\/\w+\?do=(\w+)&/.exec(to)?.[1]
  if (isOwn === false && (action !== undefined || to.endsWith('/modify'))) return true
  if (action === 'draft' || action === 'publish')
    return publish === (action === 'draft' ? 'draft' : 'published')
  if (action === 'place') return visibility !== 'public'
  return action === 'public' && visibility === 'public'
}

/** The path where the people of the team with a name are. */
export const personPath = (name: string): string => `/team?search=${encodeURIComponent(name)}`

/** The path of the invitation with this id, on the screen of the team. */
export const invitePath = (id: string): string => `/team#invite-${encodeURIComponent(id)}`

/** Visibility and tags: the same for sources, insights, and collections. */
const buildBulkCommands = (noun: BulkNoun, one: string, allow: OperationName, at: string): CommandRow[] => [
  [`Make this ${one} public`, buildBulkPath(noun, 'public', at), allow, 'publish show'],
  [
    `Show this ${one} to the organization only`,
    buildBulkPath(noun, 'place', at),
    allow,
    'unpublish hide internal',
  ],
  [`Add tags to this ${one}`, buildBulkPath(noun, 'tag', at), allow, 'keywords'],
]

/** Not for oneself, who leaves instead. */
const removePerson = 'Remove this person from the team'

/** Commands for a thing: `at`: its id, `under`: what its path needs besides, both encoded for paths; `name`: as it is. */
type CommandRowBuilder = (at: string, under: string, name: string) => readonly CommandRow[]

/** Commands for a thing, by its noun. */
const rowBuilders: Record<SearchedNoun, CommandRowBuilder> = {
  source: (at) => [
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
    ...buildBulkCommands('sources', 'source', 'source.update', at),
    ['Duplicate this source', `/duplicate/sources/${at}`, 'source.create', 'copy'],
    ['Delete this source', buildBulkPath('sources', 'delete', at), 'source.delete', 'remove'],
  ],
  insight: (at) => [
    ['Modify this insight', `/insights/${at}/modify`, 'insight.update', 'edit change'],
    ...buildBulkCommands('insights', 'insight', 'insight.update', at),
    ['Duplicate this insight', `/duplicate/insights/${at}`, 'insight.create', 'copy'],
    ['Delete this insight', buildBulkPath('insights', 'delete', at), 'insight.delete', 'remove'],
  ],
  collection: (at) => [
    ['Modify this collection', `/collections/${at}/modify`, 'collection.update', 'edit change rename'],
    ['Arrange this collection', `/collections/${at}?arrange`, 'collection.update', 'order sort move'],
    ...buildBulkCommands('collections', 'collection', 'collection.update', at),
    ['Duplicate this collection', `/duplicate/collections/${at}`, 'collection.create', 'copy'],
    ['Delete this collection', buildBulkPath('collections', 'delete', at), 'collection.delete', 'remove'],
  ],
  page: (at, type) => [
    ['Modify this page', `/pages/${type}/${at}/modify`, 'page.update', 'edit change write story'],
    ['Publish this page', buildBulkPath('pages', 'publish', at), 'page.publish', 'story public'],
    ['Take this page back to draft', buildBulkPath('pages', 'draft', at), 'page.update', 'unpublish hide'],
    ['Add tags to this page', buildBulkPath('pages', 'tag', at), 'page.update', 'keywords'],
    ['Duplicate this page', `/duplicate/pages/${at}`, 'page.create', 'copy story'],
    ['Delete this page', buildBulkPath('pages', 'delete', at), 'page.delete', 'remove story'],
  ],
  dataType: (at) => [
    ['Modify this data type', `/types/${at}/modify`, 'dataType.update', 'edit fields'],
    ['Copy this data type', `/types/create?from=${at}`, 'dataType.create', 'duplicate'],
    ['Watch data of this type', `/types/${at}/observers/create`, 'observer.create', 'observer alert'],
    ['Delete this data type', buildBulkPath('types', 'delete', at), 'dataType.delete', 'remove'],
  ],
  importer: (at, sourceId) => [
    ['Run this importer', `/sources/${sourceId}/importers/${at}?do=run`, 'importer.run', 'start import now'],
    [
      'Edit this importer',
      `/sources/${sourceId}/importers/${at}/modify`,
      'importer.update',
      'modify change schedule',
    ],
    ['Duplicate this importer', `/duplicate/importers/${at}?source=${sourceId}`, 'importer.create', 'copy'],
  ],
  observer: (at, typeId) => [
    [
      'Modify this observer',
      `/types/${typeId}/observers/${at}/modify`,
      'observer.update',
      'edit change alert',
    ],
  ],
  boundarySet: (at) => [
    [
      'Modify these boundaries',
      `/boundaries/${at}#settings`,
      'boundarySet.update',
      'edit change rename areas licence',
    ],
    [
      'Replace the areas of these boundaries',
      `/boundaries/${at}#replace`,
      'boundarySet.update',
      'new version file upload',
    ],
    [
      'Make these boundaries public',
      buildBulkPath('boundaries', 'public', at),
      'boundarySet.update',
      'publish show areas',
    ],
    [
      'Show these boundaries to the organization only',
      buildBulkPath('boundaries', 'place', at),
      'boundarySet.update',
      'unpublish hide internal areas',
    ],
    [
      'Delete these boundaries',
      buildBulkPath('boundaries', 'delete', at),
      'boundarySet.delete',
      'remove areas',
    ],
  ],
  asset: (at) => [
    ['Edit this file', `/media-library?file=${at}`, 'asset.update', 'modify change rename move alt text'],
    ['Delete this file', `/media-library?file=${at}`, 'asset.delete', 'remove picture'],
  ],
  // The screen of the team asks for the same operation for both.
  user: (_at, _under, name) => [
    ['Change the role of this person', personPath(name), 'placeUser.update', 'edit modify member rights'],
    [removePerson, personPath(name), 'placeUser.update', 'delete member'],
  ],
  invite: (at) => [
    ['Send this invitation again', invitePath(at), 'invite.update', 'invite resend email remind'],
    ['Change the role of this invitation', invitePath(at), 'invite.update', 'edit modify'],
    ['Take this invitation back', invitePath(at), 'invite.delete', 'delete remove revoke cancel'],
  ],
}

/** Path segments below a list that are not ids. */
const noThing = new Set([
  ...['', 'create', 'describe', 'community', 'inventory', 'reference', 'catalog', 'everyone'],
])

const listNouns: Record<BulkNoun, SearchedNoun> = {
  sources: 'source',
  insights: 'insight',
  collections: 'collection',
  pages: 'page',
  types: 'dataType',
  boundaries: 'boundarySet',
}

/** The thing that a screen is about, from its path; null without one. */
function thingAt(path: string): CommandSubject | null {
  const [, list = '', first = '', below = '', second = ''] = path.split('/')
  if (noThing.has(first) || !Object.hasOwn(listNouns, list)) return null
  if (list === 'pages') return noThing.has(below) ? null : { noun: 'page', id: below, under: first }
  const isBelow = !noThing.has(second)
  if (list === 'sources' && below === 'importers' && isBelow)
    return { noun: 'importer', id: second, under: first }
  if (list === 'types' && below === 'observers' && isBelow)
    return { noun: 'observer', id: second, under: first }
  return { noun: listNouns[list as BulkNoun], id: first }
}

const toCommand = ([label, to, , words]: CommandRow): Command => ({ label, to, words })

/** The commands for a thing that the person may use, and that would change it. */
export function listThingCommands(ctx: Context, thing: CommandSubject): Command[] {
  const [id, under] = [thing.id, thing.under ?? ''].map(encodeURIComponent)
  const isSelf = thing.noun === 'user' && thing.id === ctx.actor.user?.id
  return rowBuilders[thing.noun](id ?? '', under ?? '', thing.name ?? '')
    .filter((row) => !isPointless(row, thing) && !(isSelf && row[0] === removePerson))
    .filter(([, , allow]) => hasPermission(ctx, allow))
    .map(toCommand)
}

/**
 * The commands available to the person: first those for the thing of the screen at `path`, then the global ones. Filtered by the same
 * permissions as the endpoints, and by the current `state` of the thing; other obstacles are explained by the target screen.
 */
export function commandsFor(ctx: Context, path: string, state: Partial<CommandSubject> = {}): Command[] {
  if (ctx.placeId === null)
    return withoutPlace.filter(([, , allow]) => hasPermission(ctx, allow, null)).map(toCommand)
  const thing = thingAt(path)
  return [
    ...(thing ? listThingCommands(ctx, { ...state, ...thing }) : []),
    ...anywhere.filter(([, , allow]) => hasPermission(ctx, allow)).map(toCommand),
  ]
}

/** `commandsFor` a screen, with the current state of its thing. */
export async function commandsAt(args: LoaderFunctionArgs, path: string): Promise<Command[]> {
  const { ctx } = args.context
  const thing = ctx.placeId === null ? null : thingAt(path)
  if (thing?.noun === 'importer') return commandsFor(ctx, path, await importerState(args, thing))
  const list = Object.entries(listNouns).find(([, noun]) => noun === thing?.noun)?.[0] as BulkNoun | undefined
  if (!thing || !list || list === 'types') return commandsFor(ctx, path)
  const { rows } = await load(args, {
    rows: { endpoint: bulkEndpoints[list].find, options: { filters: { id: thing.id }, limit: 1 } },
  })
  const [state] = (rows as { results: Partial<CommandSubject>[] }).results
  return commandsFor(ctx, path, { visibility: state?.visibility ?? null, publish: state?.publish ?? null })
}

/** Whether an importer is on; empty where it is not there, which its screen says. */
async function importerState(
  args: LoaderFunctionArgs,
  thing: CommandSubject,
): Promise<Partial<CommandSubject>> {
  const { rows } = await load(args, {
    rows: {
      endpoint: v1.source.importer.find,
      params: { sourceId: thing.under ?? '' },
      options: { filters: { id: thing.id }, limit: 1 },
    },
  }).catch(() => ({ rows: null }))
  const [state] = rows?.results ?? []
  return state ? { enabled: state.enabled } : {}
}

/** Whether a word begins a command for a thing: "publish bike counts". */
export const isVerb = (word: string): boolean => verbs.has(word.toLowerCase())

const otherVerbs =
  'unpublish hide remove edit change rename download start show tag alert invite resend revoke'.split(' ')
const verbs: ReadonlySet<string> = new Set([
  ...Object.values(rowBuilders).flatMap((rows) => rows('', '', '').map(([label]) => getFirstWord(label))),
  ...otherVerbs,
])

function getFirstWord(label: string): string {
  return label.split(' ', 1)[0]?.toLowerCase() ?? ''
}
