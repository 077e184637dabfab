import { Link, Outlet } from '@remix-run/react'
import { Screen } from '#app/components/shell/screen.tsx'
import { Tabs } from '#app/components/shell/tabs.tsx'

const tabs = [
  { to: '/admin', label: 'Organizations' },
  { to: '/admin/people', label: 'People' },
  { to: '/admin/requests', label: 'Requests' },
  { to: '/admin/internals', label: 'Internals' },
]

/** The head of the super admin screens; each of them has its own guard. */
export default function Admin() {
  return (
    <Screen
      title="Admin"
      sub="All organizations, all people, and what runs inside."
      actions={
        <Link className="button" to="/rolesOperations">
          Roles
        </Link>
      }
    >
      <Tabs label="Admin" tabs={tabs} />
      <Outlet />
    </Screen>
  )
}
