/** How an organization is reached: an e-mail address or a web address, as a link that shows it. */
export function ContactLink({ contact }: { contact: string }) {
  const isWeb = /^https?:\/\//i.test(contact)
  return (
    <a href={isWeb ? contact : `mailto:${contact}`}>
      <bdi>{contact}</bdi>
    </a>
  )
}
