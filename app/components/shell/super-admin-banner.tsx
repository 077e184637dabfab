import { X } from 'lucide-react'
import { useEffect, useState } from 'react'

const key = 'super-admin-banner'

/** A banner for super admins; dismissed for the lifetime of the tab. */
export function SuperAdminBanner() {
  const [isShown, setIsShown] = useState(true)
  useEffect(() => {
    if (sessionStorage.getItem(key) === 'dismissed') setIsShown(false)
  }, [])
  if (!isShown) return null
  const dismiss = () => {
    sessionStorage.setItem(key, 'dismissed')
    setIsShown(false)
  }
  return (
    <div className="shell-banner" role="note">
      <p>You are on a superadmin account - be careful!</p>
      <button
        type="button"
        className="button is-quiet is-icon is-small"
        aria-label="Dismiss"
        onClick={dismiss}
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
