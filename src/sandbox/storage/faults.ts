/** An error of the S3 protocol: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Fault extends Error {
  override readonly name = 'S3Fault';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const accessDenied = (message = 'Access Denied') => new S3Fault(403, 'AccessDenied', message);
export const noSuchKey = () => new S3Fault(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchUpload = () =>
  new S3Fault(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');
export const notImplemented = (what: string) =>
  new S3Fault(501, 'NotImplemented', `${what} is not implemented by this storage.`);
export const invalidArgument = (message: string) => new S3Fault(400, 'InvalidArgument', message);
