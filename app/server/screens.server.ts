import type { Context } from '#functions/context.ts'
import type { Command, CommandRow } from './commands.server.ts'
import { hasPermission } from './session.server.ts'

/** Screens of an organization that the sidebar does not link to. */
const inPlace: readonly CommandRow[] = [
  ['All insights', '/collections/inventory', 'activity.read', 'questions charts'],
  ['Catalog of data types', '/types/catalog', 'activity.read', 'schemas'],
  ['Boundaries', '/boundaries', 'boundarySet.read', 'areas districts wards'],
  ['Tags', '/tags', 'activity.read', 'keywords labels'],
  ['Functions and operators', '/insights/reference', 'activity.read', 'help query'],
  ['Explore', '/explore', 'place.read', 'public data'],
  ['Community sources', '/sources/community', 'place.update', 'settings'],
  ['Error reports', '/error-reports', 'errorReport.read', 'problems wrong readers'],
  ['Settings: hub', '/org/manage/hub', 'place.update', 'public site first page languages address domain'],
  ['Settings: names and texts', '/org/manage#names', 'place.update', 'organization title description'],
  ['Settings: look', '/org/manage#look', 'place.update', 'colour logo picture theme'],
  ['Settings: map', '/org/manage#map', 'place.update', 'boundary'],
  ['Settings: fields of sources', '/org/manage/fields', 'place.update', 'metadata custom'],
  ['Settings: sign-in', '/org/manage/sign-in', 'sso.manage', 'single sign-on provider mail domains'],
  ['Settings: archive', '/org/manage/archive', 'place.archive', 'export backup download'],
  ['Settings: close the organization', '/org/manage/close', 'place.close', 'delete end'],
  ['Translations', '/translations', 'text.translate', 'languages'],
  ['Usage', '/hub/usage', 'place.usage', 'readers visits statistics'],
]

/** Screens of each person. */
const personCommands: readonly CommandRow[] = [
  ['Account: password', '/account#password', 'auth.manage', 'change'],
  ['Account: second factor', '/account#factor', 'factor.manage', 'authenticator passkeys security'],
  ['Account: where you are signed in', '/account#sessions', 'session.read', 'devices sessions'],
  ['API', '/api', 'api.read', 'reference developers'],
]

/** Screens of those who run the whole product. */
const operatorCommands: readonly CommandRow[] = [
  ['Admin: people', '/admin/people', 'placeRequest.read', 'users'],
  ['Admin: requests', '/admin/requests', 'placeRequest.read', 'organizations waiting'],
  ['Admin: internals', '/admin/internals', 'internal.read', 'switches queue'],
]

/** The screens that the sidebar does not link to and the person may open, with synonyms. */
export function screensBeside(ctx: Context): Command[] {
  const { placeId } = ctx
  return [
    ...(placeId === null ? [] : inPlace.filter(([, , allow]) => hasPermission(ctx, allow))),
    ...[...personCommands, ...operatorCommands].filter(([, , allow]) => hasPermission(ctx, allow, null)),
  ].map(([label, to, , words]) => ({ label, to, words }))
}
