import { Tabs } from '../shell/tabs.tsx'

/** The tabs of the organization's settings. */
export function OrgTabs() {
  return (
    <Tabs
      label="Manage organization"
      tabs={[
        { to: '/org/manage', label: 'Organization' },
        { to: '/org/manage/hub', label: 'Hub' },
        { to: '/org/manage/fields', label: 'Fields' },
        { to: '/boundaries', label: 'Boundaries' },
        { to: '/translations', label: 'Translations' },
        { to: '/org/manage/sign-in', label: 'Sign-in' },
        { to: '/hub/usage', label: 'Usage' },
        { to: '/org/manage/archive', label: 'Archive' },
      ]}
    />
  )
}
