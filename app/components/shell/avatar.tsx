/** A picture of a place or person, else initials. Decorative, as the name is shown beside it. */
export function Avatar({
  name,
  image,
  isLarge = false,
}: {
  name: string
  image: string | null
  isLarge?: boolean
}) {
  const className = isLarge ? 'avatar' : 'avatar is-small'
  const size = isLarge ? 48 : 32
  if (image) return <img className={className} src={image} alt="" width={size} height={size} />
  return (
    // By style sheet: as text it would be part of the accessible name of a surrounding button.
    <span className={className} aria-hidden="true" data-initials={initials(name)} />
  )
}

/** The initials of the first two words, in capitals. */
export function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
