/** The icons of the hub, 20 px, in the text colour; each accompanies a text or label. */
const paths = {
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4',
  moon: 'M16.5 11.6A7 7 0 1 1 8.4 3.5a5.6 5.6 0 0 0 8.1 8.1Z',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  sidebar: 'M3 4.5h14v11H3zM8 4.5v11',
  share: 'M10 12V3.5M6.5 6.5 10 3l3.5 3.5M4 10.5v6h12v-6',
  close: 'M5 5l10 10M15 5L5 15',
} as const

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg
      className="icon"
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
