import { index, layout, route, type RouteConfig } from '@remix-run/route-config'

/** Documents that programs find a hub by; `functions/edge/hub/hub-files.ts` says which a hub has. */
const documents = [
  'robots.txt',
  'sitemap.xml',
  'sitemaps/*',
  'feed.atom',
  'feed.json',
  'api/feed/rss/2.0',
  'datastories/feed.atom',
  'datastories/feed.json',
  'data.json',
  'catalog/*',
]
/** What browsers ask of a site by itself. */
const frameFiles = ['favicon.ico', 'icons/*', 'site.webmanifest', 'opensearch.xml']
const sourceDocuments = ['feed.atom', 'feed.json', 'csv-metadata.json', 'table-schema.json']

/** What only those see who work on the product: no build has it. */
const developmentRoutes =
  process.env.NODE_ENV === 'development' ? [route('gallery', 'routes/gallery/gallery.tsx')] : []

/**
 * THE route table. Paths that exist in both modes stand outside the layouts and choose by `site.mode`; the
 * others are 404 in the wrong mode. Guards only decide where a person is sent: `call` protects.
 */
export default [
  index('routes/index/index.tsx'),
  route('map', 'routes/map.tsx'),
  route('pages/storytelling/:pageId/preview', 'routes/pages/preview.tsx', { id: 'storytelling-preview' }),
  route('pages/blank/:pageId/preview', 'routes/pages/preview.tsx', { id: 'blank-preview' }),
  route('error', 'routes/error.tsx'),

  ...documents.map((path) => route(path, 'routes/hub/files/document.ts', { id: `document ${path}` })),
  ...frameFiles.map((path) => route(path, 'routes/hub/files/frame-file.ts', { id: `frame ${path}` })),
  ...sourceDocuments.map((name) =>
    route(`domains/:dataTypeId/source/:sourceId/${name}`, 'routes/hub/files/source-document.ts', {
      id: `source ${name}`,
    }),
  ),
  route('og/*', 'routes/hub/files/picture.ts'),
  route('embed/domains/:dataTypeId/source/:sourceId', 'routes/hub/files/embed.ts'),
  route('embed/map', 'routes/hub/files/map-embed.ts'),
  route('embed/pages/:pageId/:insightId', 'routes/hub/files/figure-embed.ts'),

  layout('routes/modes/hub.tsx', [
    route('datastories', 'routes/hub/data-stories.tsx'),
    route('domains', 'routes/hub/domains.tsx'),
    route('topics', 'routes/hub/topics.tsx'),
    route('topics/:topic', 'routes/hub/topic.tsx'),
    route('domains/:dataTypeId', 'routes/hub/domain.tsx'),
    route('domains/:dataTypeId/source/:sourceId', 'routes/hub/domain-source.tsx'),
    route('domains/:dataTypeId/source/:sourceId/fields', 'routes/hub/source-fields.tsx'),
    route('about', 'routes/hub/about.tsx'),
    route('search', 'routes/hub/search.tsx'),
    route('accessibility', 'routes/hub/accessibility.tsx'),
    route('privacy', 'routes/hub/privacy.tsx'),
  ]),

  layout('routes/modes/plain.tsx', [
    route('login', 'routes/account/login.tsx'),
    route('login/second-step', 'routes/account/second-step.tsx'),
    route('login/device', 'routes/account/device.tsx'),
    route('login/sso', 'routes/account/sso.tsx'),
    route('login/sso/start', 'routes/account/sso-start.tsx'),
    route('login/sso/callback', 'routes/account/sso-callback.tsx'),
    route('account/connect', 'routes/account/sso-connect.tsx'),
    route('account/second-factor', 'routes/account/second-factor.tsx'),
    route('account/prove', 'routes/account/prove.tsx'),
    route('access', 'routes/account/access.tsx'),
    route('account/email', 'routes/account/email.tsx'),
    route('account/undo-email', 'routes/account/undo-email.tsx'),
    route('signup', 'routes/account/signup.tsx'),
    route('forgot_password', 'routes/account/forgot-password.tsx'),
    route('reset_password', 'routes/account/reset-password.tsx'),
    route('confirmation', 'routes/account/confirmation.tsx'),
    route('logout', 'routes/account/logout.tsx'),
    route('hello', 'routes/account/hello.tsx'),
    route('invite/:inviteId', 'routes/account/invite.tsx'),
    route('export/tableau', 'routes/export/guide.tsx', { id: 'export-tableau' }),
    route('export/powerbi', 'routes/export/guide.tsx', { id: 'export-powerbi' }),
    route('export/esri', 'routes/export/guide.tsx', { id: 'export-esri' }),
    route('export/google_sheets', 'routes/export/guide.tsx', { id: 'export-google-sheets' }),
    route('places/:placeId/observers/:observerId/unsubscribe', 'routes/account/unsubscribe.tsx'),
    route('late-data/unsubscribe', 'routes/account/unsubscribe-late.tsx'),
    route('places/:placeId/error-reports/unsubscribe', 'routes/account/unsubscribe-reports.tsx'),
  ]),

  layout('routes/modes/main.tsx', [
    // Everyone
    route('explore', 'routes/explore/explore.tsx'),
    ...developmentRoutes,
    route('api', 'routes/api/reference.tsx', { id: 'api' }),
    route('core_api', 'routes/api/reference.tsx', { id: 'core-api' }),
    // Signed in
    route('account', 'routes/account/account.tsx'),
    route('organization/new', 'routes/organization/new.tsx'),
    route('organization/closed', 'routes/organization/closed.tsx'),
    route('organization/archive', 'routes/organization/archive.tsx'),
    route('sources', 'routes/sources/sources.tsx'),
    route('sources/create', 'routes/sources/create.tsx'),
    route('sources/describe', 'routes/sources/bulk.tsx'),
    route('sources/community', 'routes/sources/community.tsx'),
    // A layout without a path: an index route's forms would put `?index` into its address
    layout('routes/sources/source.tsx', [
      route('sources/:sourceId', 'routes/sources/records/records.tsx'),
      route('sources/:sourceId/map', 'routes/sources/map.tsx'),
      route('sources/:sourceId/fields', 'routes/sources/fields.tsx'),
      route('sources/:sourceId/importers', 'routes/sources/importers.tsx'),
      route('sources/:sourceId/settings', 'routes/sources/settings.tsx'),
    ]),
    route('sources/:sourceId/export', 'routes/sources/export.tsx'),
    // What makes the map of a source live
    route('sources/:sourceId/map/live', 'routes/sources/map-live.ts'),
    route('sources/:sourceId/importers/create', 'routes/importers/create.tsx'),
    route('sources/:sourceId/importers/:importerId', 'routes/importers/importer.tsx'),
    route('sources/:sourceId/importers/:importerId/modify', 'routes/importers/modify.tsx'),
    route('sources/:sourceId/importers/:importerId/:jobId', 'routes/importers/job.tsx'),
    // In a place
    route('home', 'routes/home/home.tsx'),
    route('duplicate/:noun/:id', 'routes/duplicate/duplicate.tsx'),
    route('tags', 'routes/tags/tags.tsx'),
    // The same done to many of a list
    route('many/:noun', 'routes/bulk-actions/bulk-actions.tsx'),
    route('collections', 'routes/collections/collections.tsx'),
    route('collections/create', 'routes/collections/create.tsx'),
    route('collections/inventory', 'routes/collections/inventory.tsx'),
    route('collections/:collectionId', 'routes/collections/collection.tsx'),
    route('collections/:collectionId/modify', 'routes/collections/modify.tsx'),
    route('collections/:collectionId/insights/:insightId', 'routes/collections/collection-insight.tsx'),
    route('collections/:collectionId/text/create', 'routes/collections/text-create.tsx'),
    route('collections/:collectionId/text/:textId', 'routes/collections/text.tsx'),
    route('pages', 'routes/pages/pages.tsx'),
    route('pages/blank/:pageId', 'routes/pages/page.tsx', { id: 'blank' }),
    route('pages/blank/:pageId/modify', 'routes/pages/modify.tsx', { id: 'blank-modify' }),
    route('pages/dashboard/:pageId', 'routes/pages/page.tsx', { id: 'dashboard' }),
    route('pages/dashboard/:pageId/modify', 'routes/pages/modify.tsx', { id: 'dashboard-modify' }),
    route('pages/dashboard/:pageId/preview', 'routes/pages/dashboard-preview.tsx'),
    route('pages/storytelling/:pageId', 'routes/pages/page.tsx', { id: 'storytelling' }),
    route('pages/storytelling/:pageId/modify', 'routes/pages/modify.tsx', { id: 'storytelling-modify' }),
    route('types/create', 'routes/types/create.tsx'),
    route('types/catalog', 'routes/types/catalog.tsx'),
    route('types/:dataTypeId', 'routes/types/type.tsx'),
    route('types/:dataTypeId/observers', 'routes/observers/observers.tsx'),
    route('types/:dataTypeId/observers/:observerId', 'routes/observers/observer.tsx'),
    route('types/:dataTypeId/export', 'routes/types/export.tsx'),
    route('types/:dataTypeId/modify', 'routes/types/modify.tsx'),
    route('types/:dataTypeId/observers/create', 'routes/observers/create.tsx'),
    route('types/:dataTypeId/observers/:observerId/modify', 'routes/observers/modify.tsx'),
    route('insights/create', 'routes/insights/create.tsx'),
    route('insights/reference', 'routes/insights/reference.tsx'),
    route('insights/:insightId', 'routes/insights/insight.tsx'),
    route('insights/:insightId/sharing', 'routes/insights/sharing.tsx'),
    route('insights/:insightId/modify', 'routes/insights/modify.tsx'),
    route('error-reports', 'routes/error-reports/reports.tsx'),
    route('error-reports/:errorReportId', 'routes/error-reports/report.tsx'),
    route('boundaries', 'routes/boundaries/boundaries.tsx'),
    route('boundaries/create', 'routes/boundaries/create.tsx'),
    route('boundaries/:boundarySetId', 'routes/boundaries/boundary-set.tsx'),
    route('boundaries/everyone/:builtInSetId', 'routes/boundaries/built-in-set.tsx'),
    route('activity', 'routes/activity/activity.tsx'),
    route('team', 'routes/team/team.tsx'),
    route('org/manage', 'routes/org/manage.tsx'),
    route('org/manage/hub', 'routes/org/hub.tsx'),
    route('org/manage/fields', 'routes/org/fields.tsx'),
    route('org/manage/sign-in', 'routes/org/sign-in.tsx'),
    route('org/manage/close', 'routes/org/close.tsx'),
    route('org/manage/archive', 'routes/org/archive.tsx'),
    route('org/manage/imported', 'routes/org/imported.tsx'),
    route('hub/usage', 'routes/hub-usage/usage.tsx'),
    route('translations', 'routes/translations/translations.tsx'),
    route('media-library', 'routes/media/library.tsx'),
    // What the command palette asks, and what a screen tells that failed in the browser
    route('find', 'routes/find/find.tsx'),
    route('report', 'routes/report/report.ts'),
    // Where someone chooses the place they work in, on the way to what is there
    route('switch', 'routes/account/switch.ts'),
    // What makes the map of the workspace live
    route('map/live', 'routes/map-live.ts'),
    // Superadmins
    layout('routes/admin/admin.tsx', [
      route('admin', 'routes/admin/places.tsx'),
      route('admin/people', 'routes/admin/people.tsx'),
      route('admin/requests', 'routes/admin/requests.tsx'),
      route('admin/internals', 'routes/admin/internals.tsx'),
    ]),
    route('rolesOperations', 'routes/roles/roles.tsx'),
    route('rolesOperations/role/create', 'routes/roles/create.tsx'),
    route('rolesOperations/:roleId', 'routes/roles/role.tsx'),
    route('rolesOperations/:roleId/modify', 'routes/roles/modify.tsx'),
  ]),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
