import {
  Activity,
  Building2,
  ChartNoAxesColumn,
  Compass,
  Database,
  FileText,
  House,
  Images,
  LogIn,
  Map,
  ShieldCheck,
  UserRound,
  UserRoundPlus,
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import type { NavigationIcon } from './navigation.ts'

const icons: Record<NavigationIcon, LucideIcon> = {
  home: House,
  insights: ChartNoAxesColumn,
  map: Map,
  explore: Compass,
  data: Database,
  media: Images,
  pages: FileText,
  activity: Activity,
  team: Users,
  organization: Building2,
  account: UserRound,
  roles: ShieldCheck,
  admin: Wrench,
  signIn: LogIn,
  signUp: UserRoundPlus,
}

/** The icon of a sidebar link; decorative. */
export function NavIcon({ name }: { name: NavigationIcon }) {
  const Icon = icons[name]
  return <Icon className="shell-nav-icon" aria-hidden="true" strokeWidth={1.75} />
}
