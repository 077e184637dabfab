import type { ReactNode } from 'react'

/** A single centred form: sign-in and related screens. */
export function AccountCard({
  title,
  intro,
  children,
  foot,
}: {
  title: string
  intro?: ReactNode
  children?: ReactNode
  foot?: ReactNode
}) {
  return (
    <div className="account">
      <a className="account-brand" href="/explore">
        Commonplace
      </a>
      <section className="card account-card">
        <h1 className="page-title">{title}</h1>
        {intro ? <div className="account-intro">{intro}</div> : null}
        {children}
      </section>
      {foot ? <p className="account-foot">{foot}</p> : null}
    </div>
  )
}
