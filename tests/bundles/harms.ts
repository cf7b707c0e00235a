/** What must never happen to a verifier, in the words of the suite's last line. */
export const wronglyAccepted = "accepted that nobody allowed had signed";
