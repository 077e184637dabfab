import { access } from './access.ts'
import { activity } from './activity.ts'
import { archive } from './archive.ts'
import { boundarySet } from './boundary-set.ts'
import { collection } from './collection.ts'
import { content } from './content.ts'
import { dataType } from './data-type.ts'
import { domain } from './domain.ts'
import { errorReport } from './error-report.ts'
import { file } from './file.ts'
import { importArchive } from './import-archive.ts'
import { importReview } from './import-review.ts'
import { insight } from './insight.ts'
import { link } from './link.ts'
import { invite } from './invite.ts'
import { joinRequest } from './join-request.ts'
import { mailDomain } from './mail-domain.ts'
import { observer } from './observer.ts'
import { page } from './page.ts'
import { sample } from './sample.ts'
import { source } from './source.ts'
import { translation } from './translation.ts'
import { user } from './user.ts'
import { placeSwagger } from '../description.ts'
import { getReadOnlyMembers, reads, validate } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import { readAttention } from '#functions/domain/alert/attention.ts'
import * as places from '#functions/domain/place/places.ts'
import * as ending from '#functions/domain/place/closing.ts'
import * as starting from '#functions/domain/place-request/start.ts'
import * as publishing from '#functions/domain/page/publishing/status.ts'
import * as usage from '#functions/domain/usage/usage.ts'
import { findInPlace } from '#functions/domain/use/search.ts'
import * as tags from '#functions/domain/use/tags.ts'
import * as uses from '#functions/domain/use/uses.ts'
import { findHubUsage } from '#functions/domain/usage/usage-hub.ts'
import * as sso from '#functions/domain/identity/sso/settings.ts'
import { NewPlace, PlaceChanges, PlaceOptions, PlaceRow } from '#functions/shapes/place.ts'
import { ClosedPlace, ClosedPlaces, ClosePlace, Closing } from '#functions/shapes/place-closing.ts'
import { NewStart, StartTerms } from '#functions/shapes/place-request.ts'
import { Attention } from '#functions/shapes/attention.ts'
import { HubStatus } from '#functions/shapes/hub-status.ts'
import { Counted } from '#functions/shapes/returns.ts'
import { Done } from '#functions/shapes/auth.ts'
import { Sso, SsoChanges } from '#functions/shapes/sso.ts'
import { PlaceSearchResults, PlaceSearchOptions } from '#functions/shapes/place-search.ts'
import { PlaceUsage, UsageOptions } from '#functions/shapes/usage.ts'
import { TagUses } from '#functions/shapes/tag-use.ts'
import { UseOptions, Uses } from '#functions/shapes/use.ts'
import { HubUsage, HubUsageOptions } from '#functions/shapes/usage-hub.ts'

/** Organizations, and everything that belongs to one. */
export const place = {
  swagger: placeSwagger,
  usage: endpoint({
    allow: 'place.usage',
    http: { method: 'get', one: true },
    options: UsageOptions,
    returns: PlaceUsage,
    summary: 'How much of everything a place uses',
    run: usage.findPlaceUsage,
  }),
  hubUsage: endpoint({
    allow: 'place.usage',
    http: { method: 'get', one: true },
    stream: true,
    media: ['text/csv'],
    options: HubUsageOptions,
    returns: HubUsage,
    summary: 'How the readers of a place’s hub used it, without knowing who they are',
    run: findHubUsage,
  }),
  attention: endpoint({
    allow: 'activity.read',
    http: { method: 'get', one: true },
    returns: Attention,
    summary: 'What in a place needs someone: importers that fail, sources that grew old',
    run: readAttention,
  }),
  uses: endpoint({
    allow: 'activity.read',
    http: { method: 'get', one: true },
    options: UseOptions,
    returns: Uses,
    summary:
      'Where sources, data types, insights, boundary sets or files of the media library are used in it',
    run: uses.find,
  }),
  tags: endpoint({
    allow: 'activity.read',
    http: { method: 'get', one: true },
    returns: TagUses,
    summary: 'The tags of a place’s sources, insights, collections and pages, and how many have them',
    run: tags.find,
  }),
  search: endpoint({
    allow: 'source.read',
    http: { method: 'get', one: true },
    options: PlaceSearchOptions,
    returns: PlaceSearchResults,
    summary:
      'What of a place has these words in its name: data, insights, pages, importers, observers, files, people …',
    run: findInPlace,
  }),
  hubStatus: endpoint({
    allow: 'activity.read',
    http: { method: 'get', one: true },
    returns: HubStatus,
    summary: 'Whether readers of a place’s hub see what is saved, and why not',
    run: publishing.find,
  }),
  publishHub: endpoint({
    allow: 'page.publish',
    http: { method: 'post', one: true },
    returns: Counted,
    summary: 'Have what could not be published of a place’s hub tried again at once',
    run: publishing.publishNow,
  }),
  sso: endpoint({
    allow: 'sso.read',
    http: { method: 'get', one: true },
    returns: Sso,
    summary: 'The OpenID provider by which the people of a place sign in; never its secret',
    run: sso.find,
  }),
  saveSso: endpoint({
    allow: 'sso.manage',
    http: { method: 'post', one: true },
    stepUp: true,
    data: SsoChanges,
    returns: Sso,
    summary: 'Set the OpenID provider by which the people of a place sign in',
    run: sso.save,
  }),
  removeSso: endpoint({
    allow: 'sso.manage',
    http: { method: 'post', one: true },
    stepUp: true,
    returns: Done,
    summary: 'Remove it: nobody signs in by it any more',
    run: sso.remove,
  }),
  startTerms: endpoint({
    allow: 'place.start',
    http: { method: 'get' },
    returns: StartTerms,
    summary: 'Whether one may make a place of one’s own, or ask for one, and why not',
    run: starting.startTerms,
  }),
  start: endpoint({
    allow: 'place.start',
    http: { method: 'post' },
    data: NewStart,
    returns: PlaceRow,
    summary: 'Make a place of one’s own, where the operator lets, and be its administrator',
    run: starting.start,
  }),
  closing: endpoint({
    allow: 'place.close',
    http: { method: 'get', one: true },
    returns: Closing,
    summary: 'What goes when a place is closed, counted',
    run: ending.findClosing,
  }),
  close: endpoint({
    allow: 'place.close',
    http: { method: 'post', one: true },
    stepUp: true,
    data: ClosePlace,
    returns: ClosedPlace,
    summary: 'Close a place: nobody finds anything of it any more, and for 30 days it can be opened again',
    run: ending.close,
  }),
  closedPlaces: endpoint({
    allow: 'place.reopen',
    http: { method: 'get' },
    returns: ClosedPlaces,
    summary: 'The places that are closed and that one can open again',
    run: ending.findClosed,
  }),
  reopen: endpoint({
    allow: 'place.reopen',
    http: { method: 'post', one: true },
    returns: ClosedPlace,
    summary: 'Open a place again that was closed in the last 30 days, as it was',
    run: ending.reopen,
  }),
  ...importArchive,
  ...importReview,
  ...sample,
  ...reads('place.read', PlaceOptions, places, PlaceRow),
  validate: validate('place.create', { create: NewPlace, update: PlaceChanges }, places.check),
  create: endpoint({ allow: 'place.create', data: NewPlace, returns: PlaceRow, run: places.create }),
  updateById: endpoint({
    allow: 'place.update',
    data: PlaceChanges,
    readOnly: getReadOnlyMembers(PlaceRow, PlaceChanges, places.findById),
    returns: PlaceRow,
    run: places.updateById,
  }),
  access,
  activity,
  archive,
  boundarySet,
  collection,
  content,
  dataType,
  domain,
  errorReport,
  file,
  insight,
  link,
  invite,
  joinRequest,
  mailDomain,
  observer,
  page,
  source,
  translation,
  user,
}
