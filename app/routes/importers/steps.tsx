import { Link } from '@remix-run/react'

export interface StepLink {
  label: string
  /** Where it is; null: not yet. */
  to: string | null
}

/** The steps of making something, with the one that is open; earlier ones can be gone back to. */
export function Steps({ steps, current }: { steps: StepLink[]; current: number }) {
  return (
    <nav aria-label="Steps">
      <ol className="steps-nav">
        {steps.map(({ label, to }, i) => (
          <li key={label} aria-current={i === current ? 'step' : undefined}>
            {to !== null && i < current ? <Link to={to}>{label}</Link> : label}
          </li>
        ))}
      </ol>
    </nav>
  )
}
