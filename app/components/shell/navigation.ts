export type NavigationIcon =
  | 'home'
  | 'insights'
  | 'map'
  | 'explore'
  | 'data'
  | 'media'
  | 'pages'
  | 'activity'
  | 'team'
  | 'organization'
  | 'account'
  | 'roles'
  | 'admin'
  | 'signIn'
  | 'signUp'

export interface NavigationLink {
  to: string
  label: string
  icon: NavigationIcon
}

export interface Visitor {
  isSignedIn: boolean
  hasPlace: boolean
  hasMap: boolean
  isOrgAdmin: boolean
  isSuperAdmin: boolean
}

/** The sidebar's links in order: at the top, and in the menu at the bottom. */
export function navigation(visitor: Visitor): { top: NavigationLink[]; bottom: NavigationLink[] } {
  const { isSignedIn, hasMap, isOrgAdmin, isSuperAdmin } = visitor
  const hasPlace = isSignedIn && visitor.hasPlace
  const isSeeking = isSignedIn && !hasPlace && !isSuperAdmin
  const top: [boolean, NavigationLink][] = [
    [hasPlace, { to: '/home', label: 'Home', icon: 'home' }],
    [hasPlace, { to: '/collections', label: 'Insights', icon: 'insights' }],
    [hasPlace && hasMap, { to: '/map', label: 'Map', icon: 'map' }],
    [!hasPlace, { to: '/explore', label: 'Explore', icon: 'explore' }],
    [isSignedIn, { to: '/sources', label: 'Data', icon: 'data' }],
    [isSeeking, { to: '/organization/new', label: 'Get an Organization', icon: 'organization' }],
    [hasPlace, { to: '/media-library', label: 'Media Library', icon: 'media' }],
    [hasPlace, { to: '/pages', label: 'Pages', icon: 'pages' }],
  ]
  const bottom: [boolean, NavigationLink][] = [
    [hasPlace, { to: '/activity', label: 'Activity', icon: 'activity' }],
    [hasPlace, { to: '/team', label: 'Team', icon: 'team' }],
    [hasPlace && isOrgAdmin, { to: '/org/manage', label: 'Manage Organization', icon: 'organization' }],
    [isSignedIn, { to: '/account', label: 'Account', icon: 'account' }],
    [isSuperAdmin, { to: '/rolesOperations', label: 'Manage Roles', icon: 'roles' }],
    [isSuperAdmin, { to: '/admin', label: 'Admin', icon: 'admin' }],
    [!isSignedIn, { to: '/login', label: 'Sign In', icon: 'signIn' }],
    [!isSignedIn, { to: '/signup', label: 'Sign Up', icon: 'signUp' }],
  ]
  return { top: visibleLinks(top), bottom: visibleLinks(bottom) }
}

const visibleLinks = (links: [boolean, NavigationLink][]) =>
  links.filter(([isShown]) => isShown).map(([, link]) => link)
