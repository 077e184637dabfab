/** The contact of an organization, an email or web address, as a link. */
export function ContactLink({ contact }: { contact: string }) {
  const isWeb = /^https?:\/\//i.test(contact)
  return (
    <a href={isWeb ? contact : `mailto:${contact}`}>
      <bdi>{contact}</bdi>
    </a>
  )
}
