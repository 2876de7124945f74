/** An e-mail ready to be sent. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Which mail of ours this is, such as `email.welcome`. */
  kind: string;
  /** The same at every attempt, so that a receiver who knows it keeps one. */
  id: string;
}

/** Who carries e-mails. Rejects when it could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
