import { index, layout, route, type RouteConfig } from '@remix-run/route-config'

/**
 * THE route table. Paths that exist in both modes stand outside the layouts and choose by `site.mode`; the
 * others are 404 in the wrong mode. Guards only decide where a person is sent: `call` protects.
 */
export default [
  index('routes/index.tsx'),
  route('map', 'routes/map.tsx'),
  route('pages/storytelling/:pageId/preview', 'routes/pages/preview.tsx', { id: 'storytelling-preview' }),
  route('pages/blank/:pageId/preview', 'routes/pages/preview.tsx', { id: 'blank-preview' }),
  route('error', 'routes/error.tsx'),

  layout('routes/modes/hub.tsx', [
    route('datastories', 'routes/hub/data-stories.tsx'),
    route('domains', 'routes/hub/domains.tsx'),
    route('domains/:dataTypeId/source/:sourceId', 'routes/hub/domain-source.tsx'),
    route('about', 'routes/hub/about.tsx'),
  ]),

  layout('routes/modes/plain.tsx', [
    route('login', 'routes/account/login.tsx'),
    route('signup', 'routes/account/signup.tsx'),
    route('forgot_password', 'routes/account/forgot-password.tsx'),
    route('reset_password', 'routes/account/reset-password.tsx'),
    route('confirmation', 'routes/account/confirmation.tsx'),
    route('logout', 'routes/account/logout.tsx'),
    route('hello', 'routes/account/hello.tsx'),
    route('invite/:inviteId', 'routes/account/invite.tsx'),
  ]),

  layout('routes/modes/main.tsx', [
    // Everyone
    route('explore', 'routes/explore.tsx'),
    route('api', 'routes/api/reference.tsx', { id: 'api' }),
    route('core_api', 'routes/api/reference.tsx', { id: 'core-api' }),
    // Signed in
    route('account', 'routes/account/account.tsx'),
    route('sources', 'routes/sources/sources.tsx'),
    route('sources/:sourceId', 'routes/sources/source.tsx'),
    // In a place
    route('home', 'routes/home.tsx'),
    route('collections', 'routes/collections/collections.tsx'),
    route('collections/:collectionId', 'routes/collections/collection.tsx'),
    route('pages', 'routes/pages/pages.tsx'),
    route('pages/blank/:pageId', 'routes/pages/page.tsx', { id: 'blank' }),
    route('pages/blank/:pageId/modify', 'routes/pages/modify.tsx', { id: 'blank-modify' }),
    route('pages/dashboard/:pageId', 'routes/pages/page.tsx', { id: 'dashboard' }),
    route('pages/storytelling/:pageId', 'routes/pages/page.tsx', { id: 'storytelling' }),
    route('pages/storytelling/:pageId/modify', 'routes/pages/modify.tsx', { id: 'storytelling-modify' }),
    route('types/:dataTypeId', 'routes/types/type.tsx'),
    route('insights/:insightId', 'routes/insights/insight.tsx'),
  ]),

  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
