import type { NavigationLink } from './navigation.ts'

/** A place one can choose to work in. */
export interface PlaceChoice {
  id: string
  name: string
}

/** What is around every screen of the workspace: who is here, where they work, and where they can go. */
export interface MainFrame {
  /** How the reader writes dates (a language tag), and the time zone that their browser told; null: it told none yet. */
  reader: { locale: string; timeZone: string | null }
  /** The style sheet of the place's colours. */
  themeCss: string
  /** Null: signed out. */
  user: { id: string; name: string; email: string; image: string | null } | null
  /** Null: signed out or in the personal account. */
  place: ActivePlace | null
  /** Every place the person may choose, by name. */
  places: PlaceChoice[]
  /** The person's role in the place; null without one. */
  role: string | null
  isSuperAdmin: boolean
  /** Until when the place is open to support staff or a super admin who said why; null for everyone who needs no reason. */
  openUntil: string | null
  /** Super admin, support, or admin of the place. */
  isPrivileged: boolean
  /** Content or organization admin of the place. */
  isAdmin: boolean
  isOrgAdmin: boolean
  top: NavigationLink[]
  bottom: NavigationLink[]
  /** Where people ask for help and read the documentation. */
  help: { label: string; href: string }[]
}

export interface ActivePlace {
  id: string
  displayName: string
  isHub: boolean
  hasMap: boolean
  timeZone: string
  /** The public address; no slash at its end. */
  publicUrl: string
  image: string | null
}
