import type { NavigationLink } from './navigation.ts'

/** A place to switch to. */
export interface PlaceChoice {
  id: string
  name: string
}

/** The frame of every workspace screen: person, active place, and navigation. */
export interface MainFrame {
  /** The reader's locale for dates, and the time zone reported by their browser; null if not reported yet. */
  reader: { locale: string; timeZone: string | null }
  /** The style sheet with the place's colours. */
  themeCss: string
  /** Null: signed out. */
  user: { id: string; name: string; email: string; image: string | null } | null
  /** Null: signed out or in the personal account. */
  place: ActivePlace | null
  /** All places available to the person, by name. */
  places: PlaceChoice[]
  /** The person's role in the place; null without one. */
  role: string | null
  isSuperAdmin: boolean
  /** Until when the place is opened by support staff or a super admin with a reason; null for those who need none. */
  openUntil: string | null
  /** Super admin, support staff, or admin of the place. */
  isPrivileged: boolean
  /** Content or organization admin of the place. */
  isAdmin: boolean
  isOrgAdmin: boolean
  top: NavigationLink[]
  bottom: NavigationLink[]
  /** Links to support and documentation. */
  help: { label: string; href: string }[]
}

export interface ActivePlace {
  id: string
  displayName: string
  isHub: boolean
  hasMap: boolean
  timeZone: string
  /** The hub's URL; no trailing slash. */
  publicUrl: string
  image: string | null
}
